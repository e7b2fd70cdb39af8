import { describe, expect, it } from 'vitest'
import { FairScheduler } from '../../../src/host/effects/fair-scheduler.ts'
import { RecipientBusy } from '../../../src/host/effects/not-begun.ts'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { backoffMs } from '../../../src/timing/backoff.ts'

const TICK_MS = 50
/** What the way out waits for an answer. */
const TIMEOUT_MS = 10_000
const RETRIES = { firstMs: 1_000, maxMs: 300_000 }
const MINUTES = 20

type Message = { readonly tenant: string; readonly host: string; readonly holdMs: number; failures: number }

/** Virtual time around a scheduler alone: messages hang or are answered, and what failed comes again as the host has it. */
const world = () => {
  const scheduler = new FairScheduler(defaultHostLimits)
  const due = new Map<number, (() => void)[]>()
  const sent: { readonly host: string; readonly waitedMs: number }[] = []
  const state = { nowMs: 0, hanging: 0, mostHanging: 0 }
  const after = (ms: number, work: () => void): void => {
    const atMs = state.nowMs + Math.max(1, Math.ceil(ms / TICK_MS)) * TICK_MS
    const works = due.get(atMs) ?? []
    works.push(work)
    due.set(atMs, works)
  }
  const send = (message: Message): void => {
    const { tenant, host, holdMs } = message
    const hangs = holdMs >= TIMEOUT_MS
    const owedMs = state.nowMs
    const run = scheduler.newRun('con deliver-response', tenant)
    const hold = (): void => {
      sent.push({ host, waitedMs: state.nowMs - owedMs })
      if (hangs) state.mostHanging = Math.max(state.mostHanging, ++state.hanging)
      after(holdMs, () => {
        run.leave(hangs)
        if (!hangs) return
        state.hanging--
        message.failures++
        after(backoffMs(RETRIES, message.failures, 0.5), () => send(message))
      })
    }
    const againInMs = run.enter(() => {
      try {
        const turn = run.forward(host)
        if (turn === null) hold()
        else void turn.then(hold)
      } catch (error) {
        if (!(error instanceof RecipientBusy)) throw error
        run.leave(false)
        after(error.againInMs, () => send(message))
      }
    })
    if (againInMs !== null) after(againInMs, () => send(message))
  }
  const run = async (forMs: number, everySecond: () => void): Promise<void> => {
    for (const endMs = state.nowMs + forMs; state.nowMs < endMs; ) {
      state.nowMs += TICK_MS
      scheduler.tick(state.nowMs)
      for (const work of due.get(state.nowMs) ?? []) work()
      due.delete(state.nowMs)
      if (state.nowMs % 1_000 === 0) everySecond()
      await Promise.resolve()
    }
  }
  const waitsOf = (host: string): readonly number[] =>
    sent
      .flatMap((message) => (message.host === host ? [message.waitedMs] : []))
      .toSorted((left, right) => left - right)
  return { state, send, run, waitsOf }
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN

const crowds = [
  { about: '40 hosts that hang', messages: 10_000, hosts: 40, tenants: 1 },
  { about: 'messages that each hang at a host of their own', messages: 2_700, hosts: 2_700, tenants: 1 },
  { about: 'the same in twenty organisations', messages: 4_000, hosts: 4_000, tenants: 20 },
]

describe('an honest handshake each second', () => {
  it.each(crowds)('waits a second at most beside $about', async ({ messages, hosts, tenants }) => {
    const { state, send, run, waitsOf } = world()
    for (let index = 0; index < messages; index++) {
      const [tenant, host] = [`flooded ${index % tenants}`, `h${index % hosts}.example`]
      send({ tenant, host, holdMs: TIMEOUT_MS, failures: 0 })
    }
    await run(MINUTES * 60_000, () =>
      send({ tenant: 'honest', host: 'wallet.example', holdMs: 50, failures: 0 }),
    )
    const waits = waitsOf('wallet.example')
    expect(waits.length).toBeGreaterThanOrEqual(MINUTES * 60 - 1)
    expect(at(waits, 0.99)).toBeLessThanOrEqual(1_000)
    expect(state.mostHanging).toBeLessThanOrEqual(320)
  })
})
