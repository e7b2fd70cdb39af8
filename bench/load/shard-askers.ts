// Callers of a cluster who ask for a record of every shard again and again, and note for how long each shard let them wait.
import { Agent, request } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

export type Target = { readonly shard: number; readonly path: string }

type Load = {
  readonly url: string
  readonly key: string
  readonly targets: readonly Target[]
  /** Between two asks for one shard. */
  readonly everyMs: number
  /** Between two writes, each to a shard that chance chooses. */
  readonly writeEveryMs: number
}

const AGAIN_MS = 50
const REQUEST_LIMIT_MS = 20_000
const SOCKETS_MAX = 512
const WRITES = '/v1/connections/invitations'

const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX, timeout: 4_000 })
const waits = new Map<number, number>()
const served = new Map<number, number>()
const counts = { answered: 0, again: 0 }
let running: { readonly over: AbortController; readonly flows: Promise<unknown> } | null = null
let markMs = Number.POSITIVE_INFINITY

export function start(load: Load): void {
  const over = new AbortController()
  const readers = load.targets.map((target, index) => read(load, target, index, over.signal))
  running = { over, flows: Promise.all([...readers, write(load, over.signal)]) }
}

export async function stop(): Promise<void> {
  running?.over.abort()
  await running?.flows
  running = null
}

/** The longest wait of each shard since the last call, and how often an answer was another than the one that was due. */
export function take(): {
  readonly waits: readonly (readonly [number, number])[]
  again: number
  answered: number
} {
  const taken = { waits: [...waits], ...counts }
  waits.clear()
  Object.assign(counts, { answered: 0, again: 0 })
  return taken
}

/** From now on it is noted when each shard serves the first request that began after this time. */
export function mark(atMs: number): void {
  served.clear()
  markMs = atMs
}

export const servedSinceMark = (): readonly (readonly [number, number])[] => [...served]

const read = async (load: Load, target: Target, index: number, over: AbortSignal): Promise<void> => {
  await rest((load.everyMs * index) / load.targets.length, over)
  while (!over.aborted) {
    const startedMs = performance.now()
    await asked(over, load, 'GET', target.path, () => target.shard)
    await rest(load.everyMs - (performance.now() - startedMs), over)
  }
}

const write = async (load: Load, over: AbortSignal): Promise<void> => {
  const writes = new Set<Promise<void>>()
  while (!over.aborted) {
    await rest(load.writeEveryMs, over)
    const one = asked(over, load, 'POST', WRITES, shardOfMade).finally(() => writes.delete(one))
    writes.add(one)
  }
  await Promise.all(writes)
}

/** A caller asks until it is answered, and has waited from its first attempt on. */
const asked = async (
  over: AbortSignal,
  load: Load,
  method: 'GET' | 'POST',
  path: string,
  shardIn: (text: string) => number | null,
): Promise<void> => {
  const sinceMs = Date.now()
  for (let begunMs = sinceMs; !over.aborted; begunMs = Date.now()) {
    const answer = await send(load, method, path).catch(() => null)
    // A shard that knows of no such record has answered all the same.
    if (answer === null || (answer.status >= 300 && answer.status !== 404)) {
      counts.again += 1
      await rest(AGAIN_MS, over)
      continue
    }
    const nowMs = Date.now()
    const shard = shardIn(answer.text)
    counts.answered += 1
    if (shard === null) return
    waits.set(shard, Math.max(waits.get(shard) ?? 0, nowMs - sinceMs))
    if (begunMs >= markMs && !served.has(shard)) served.set(shard, nowMs)
    return
  }
}

const shardOfMade = (text: string): number | null => {
  const digits = /"invitationId":"inv_([0-9a-f]{2})/.exec(text)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

const send = (
  { url, key }: Load,
  method: 'GET' | 'POST',
  path: string,
): Promise<{ readonly status: number; readonly text: string }> =>
  new Promise((resolve, reject) => {
    const body = method === 'POST' ? '{}' : ''
    const outgoing = request(`${url}${path}`, {
      agent,
      method,
      timeout: REQUEST_LIMIT_MS,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(method === 'POST' && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
      },
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece: string) => {
        text += piece
      })
      answer.on('error', reject)
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    outgoing.end(body)
  })

const rest = (ms: number, over: AbortSignal): Promise<void> =>
  pause(Math.max(0, ms), undefined, { signal: over }).catch(() => undefined)
