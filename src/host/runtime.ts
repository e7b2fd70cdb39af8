import { randomFillSync } from 'node:crypto'
import type { Runtime } from '../ports/runtime.ts'

const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz'
/** Two digits at a time: joining single ones leaves a tree of strings behind for each id. */
const PAIRS = Array.from({ length: 1_024 }, (_, bits) => `${DIGITS[bits >> 5]}${DIGITS[bits & 31]}`)
const PAIR_BITS = 10
const ID_BYTES = 16
const POOL_BYTES = ID_BYTES * 256
/** Node fires a longer timeout at once. */
const SLEEP_MAX_MS = 2 ** 31 - 1

/** The real clock, timers and randomness. */
export const createRuntime = (): Runtime => {
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return {
    now: () => Date.now(),
    monotonicMs: () => performance.now(),
    sleep,
    newId: () => {
      if (used === POOL_BYTES) {
        randomFillSync(pool)
        used = 0
      }
      used += ID_BYTES
      return base32(pool, used - ID_BYTES)
    },
    random: () => Math.random(),
  }
}

const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
  let remaining = Math.max(0, ms)
  for (; remaining > SLEEP_MAX_MS; remaining -= SLEEP_MAX_MS) await wait(SLEEP_MAX_MS, signal)
  await wait(remaining, signal)
}

/** By hand: Node's own makes an error with a stack of each sleep that is ended early, and most of ours are. */
const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error)
    const abort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })

const base32 = (bytes: Buffer, from: number): string => {
  let text = ''
  let held = 0
  let bits = 0
  for (let index = from; index < from + ID_BYTES; index++) {
    held = (held << 8) | (bytes[index] ?? 0)
    bits += 8
    if (bits < PAIR_BITS) continue
    bits -= PAIR_BITS
    text += PAIRS[held >>> bits]
    held &= (1 << bits) - 1
  }
  return text + PAIRS[held << (PAIR_BITS - bits)]
}
