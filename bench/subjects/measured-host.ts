// A host over an SQLite file or over nothing, whose memory can be looked at: run with --expose-gc.
import { setTimeout as pause } from 'node:timers/promises'
import { defaultHostLimits, type HostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import { soleOwner } from '../../src/ports/journal.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { openEngine, type Engine } from '../../src/persistence/open-engine.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { accountDefinition, accountId, accounts, type AccountCommand, type AccountReply } from './account.ts'
import { nullJournal } from './null-journal.ts'

const runtime = createRuntime()
const shards = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
const ASKERS = 1_024

let engine: Engine | null = null
let closeJournal: (() => PromiseLike<void>) | null = null
let host: Host | null = null
let commands = 0
let rung = 0

/** Null: nothing is kept. */
export async function open(
  folder: string | null,
  limits: Partial<HostLimits> = {},
): Promise<{ readyMs: number }> {
  const startMs = performance.now()
  engine = folder === null ? null : await openEngine({ engine: 'sqlite', dataFolder: folder })
  const log =
    engine === null
      ? null
      : openJournal(engine.store, runtime, shardLogDefaults, soleOwner(`bench~${runtime.newId()}`))
  closeJournal = log === null ? null : () => log[Symbol.asyncDispose]()
  host = new Host({
    journal: log ?? nullJournal(),
    vault: null,
    runtime,
    definitions: () => [accountDefinition(() => rung++)],
    limits: { ...defaultHostLimits, tenantSharePercent: 100, ...limits },
    report: ({ during, error }) => process.stderr.write(`${during}: ${String(error)}\n`),
  })
  const opening = host
  await Promise.all(shards.map((shard) => opening.open(shard)))
  return { readyMs: performance.now() - startMs }
}

export async function close(): Promise<void> {
  await host?.[Symbol.asyncDispose]()
  await closeJournal?.()
  await engine?.[Symbol.asyncDispose]()
  host = null
  engine = null
}

export function memory() {
  globalThis.gc?.()
  globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heapBytes: heapUsed, rssBytes: rss, ...status() }
}

export function status() {
  if (host === null) throw new Error('open first')
  return { ...host.status(), rung }
}

/** One command to each of so many actors. */
export async function each(first: number, count: number, command: AccountCommand): Promise<{ perS: number }> {
  const startMs = performance.now()
  let next = first
  await Promise.all(
    Array.from({ length: Math.min(ASKERS, count) }, async () => {
      while (next < first + count) await ask(next++, command)
    }),
  )
  return { perS: (count / (performance.now() - startMs)) * 1_000 }
}

/** Asks with a number of askers at once for a time, over a number of actors. */
export async function load(
  askers: number,
  actors: number,
  durationMs: number,
): Promise<{ perS: number; asks: number }> {
  const startMs = performance.now()
  const endMs = startMs + durationMs
  let asks = 0
  await Promise.all(
    Array.from({ length: askers }, async (_, index) => {
      for (let actor = index; performance.now() < endMs; actor = (actor + askers) % actors) {
        await ask(actor, { type: 'Deposit', amount: 1 })
        asks++
      }
    }),
  )
  return { perS: (asks / (performance.now() - startMs)) * 1_000, asks }
}

/** Makes events of one actor, then measures its first answer after it was put to sleep. */
export async function grow(actor: number, events: number): Promise<void> {
  for (let done = 0; done < events; ) {
    const step = Math.min(200, events - done)
    await Promise.all(Array.from({ length: step }, () => ask(actor, { type: 'Deposit', amount: 1 })))
    done += step
  }
}

export async function coldAskMs(actor: number): Promise<number> {
  if (status().residents > 0) throw new Error('an actor is still in memory')
  const startMs = performance.now()
  await ask(actor, { type: 'Read' })
  return performance.now() - startMs
}

export async function untilLoaded(timers: number): Promise<void> {
  while (status().timersLoaded < timers) await pause(20)
}

/** Milliseconds after `dueMs` when the last row of these alarms was gone. */
export async function untilFired(dueMs: number): Promise<number> {
  const store = engine?.store
  if (store === undefined) throw new Error('alarms need an engine')
  for (const shard of shards) {
    while ((await store.timersDue(shard, 0, dueMs + 1, null, 1)).length > 0) await pause(5)
  }
  return Date.now() - dueMs
}

/** How often each of so many actors has heard its alarm, at least and at most. */
export async function rungEach(first: number, count: number): Promise<{ least: number; most: number }> {
  const store = engine?.store
  if (store === undefined) throw new Error('alarms need an engine')
  let least = Number.POSITIVE_INFINITY
  let most = 0
  for (let index = first; index < first + count; index++) {
    const events = await store.readEvents(accountId(index), 0)
    const times = events.filter(({ data }) => data.includes('AlarmRung')).length
    least = Math.min(least, times)
    most = Math.max(most, times)
  }
  return { least, most }
}

async function ask(index: number, command: AccountCommand): Promise<AccountReply> {
  if (host === null) throw new Error('open first')
  const options = { commandId: `bench-${++commands}`, timeoutMs: 60_000, tenant: null }
  return (await host.ask(accounts.ref(accountId(index)), command, options)) as AccountReply
}
