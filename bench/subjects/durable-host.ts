// A host on a real engine, asked from within its process: every answer is a committed event.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import { soleOwner, type Journal } from '../../src/ports/journal.ts'
import { AskFailed } from '../../src/ports/actors.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine, type Engine } from '../../src/persistence/open-engine.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import { Latencies } from '../harness/latencies.ts'
import { accountDefinition, accountId, accounts } from './account.ts'
import { CopyLag } from './copy-lag.ts'

type Opened = {
  readonly host: Host
  readonly journal: Journal & AsyncDisposable
  readonly engine: Engine
  readonly folder: string
}

const SAMPLED_ASKER = 16

const runtime = createRuntime()
const lag = new CopyLag()
let opened: Opened | null = null
let commands = 0
let batches = 0

/** Null: an SQLite file in a folder of its own. */
export async function start(
  cassandra: Extract<EngineSettings, { engine: 'cassandra' }> | null,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-host-'))
  if (cassandra !== null) await migrateCassandra(cassandra.cassandra)
  const engine = await openEngine(cassandra ?? { engine: 'sqlite', dataFolder: folder })
  const store = engine.store.copies === 'deferred' ? lag.watch(engine.store) : engine.store
  const journal = openJournal(store, runtime, shardLogDefaults, soleOwner(runtime.newId()))
  journal.onCommitted(() => batches++)
  const host = new Host({
    journal,
    vault: null,
    runtime,
    definitions: () => [accountDefinition()],
    limits: { ...defaultHostLimits, tenantSharePercent: 100 },
    report: ({ error }) => process.stderr.write(`${String(error)}\n`),
  })
  await Promise.all(Array.from({ length: SHARD_COUNT }, (_, shard) => host.open(shard)))
  opened = { host, journal, engine, folder }
}

export async function stop(): Promise<void> {
  await opened?.host[Symbol.asyncDispose]()
  await opened?.journal[Symbol.asyncDispose]()
  await opened?.engine[Symbol.asyncDispose]()
  if (opened !== null) rmSync(opened.folder, { recursive: true })
  opened = null
}

/** The lag of the shard that was furthest behind since the start. */
export function copyLagEventsMax(): number {
  return lag.eventsMax
}

/** Asks with a number of askers at once, each with its own actor, all over the shards; the next command follows the answer. */
export async function run(askers: number, durationMs: number, shards = SHARD_COUNT) {
  if (opened === null) throw new Error('start first')
  const { host } = opened
  const latencies = new Latencies()
  const batchesBefore = batches
  const startMs = performance.now()
  const endMs = startMs + durationMs
  let events = 0
  let failures = 0
  const asker = async (index: number): Promise<void> => {
    const actor = accountId(Math.floor(index / shards) * SHARD_COUNT + (index % shards))
    // A histogram costs as much as a tenth of an ask, and the bare inserts keep none.
    const isSampled = index % SAMPLED_ASKER === 0
    for (let now = performance.now(); now < endMs; ) {
      const options = {
        commandId: `bench-command-${++commands}`,
        timeoutMs: 30_000,
        tenant: 'ten_00benchmark',
      }
      try {
        await host.ask(accounts.ref(actor), { type: 'Deposit', amount: 1 }, options)
        events++
      } catch (error) {
        failures++
        if (error instanceof AskFailed) await runtime.sleep(error.retryAfterMs)
      }
      const after = performance.now()
      if (isSampled) latencies.add(after - now)
      now = after
    }
  }
  await Promise.all(Array.from({ length: askers }, (_, index) => asker(index)))
  const seconds = (performance.now() - startMs) / 1_000
  return {
    events,
    failures,
    perS: events / seconds,
    batchesPerS: (batches - batchesBefore) / seconds,
    eventsPerBatch: events / Math.max(1, batches - batchesBefore),
    latency: latencies.summary(),
  }
}
