// An engine of the journal without the protocol and the host on top: slots, one in flight for each shard.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine, type Engine } from '../../src/persistence/open-engine.ts'
import type { LogSlot } from '../../src/persistence/store-port.ts'

type Cassandra = Extract<EngineSettings, { engine: 'cassandra' }>

let opened: { readonly engine: Engine; readonly folder: string } | null = null
const nextNo = new Map<number, number>()
const lastSeq = new Map<string, number>()

/** Null: an SQLite file in a folder of its own. */
export async function start(cassandra: Cassandra | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-engine-'))
  if (cassandra !== null) await migrateCassandra(cassandra.cassandra)
  opened = { engine: await openEngine(cassandra ?? { engine: 'sqlite', dataFolder: folder }), folder }
}

export async function stop(): Promise<void> {
  await opened?.engine[Symbol.asyncDispose]()
  if (opened !== null) rmSync(opened.folder, { recursive: true })
  opened = null
}

/** `callers` actors, each with one event in every batch of its shard. */
export async function run(callers: number, durationMs: number, data: string) {
  if (opened === null) throw new Error('start first')
  const { store } = opened.engine
  const shards = Math.min(SHARD_COUNT, callers)
  const startMs = performance.now()
  const endMs = startMs + durationMs
  let events = 0
  let batches = 0
  const write = async (shard: number): Promise<void> => {
    const actors = Array.from({ length: Math.ceil(callers / shards) }, (_, index) => actorOf(shard, index))
    while (performance.now() < endMs) {
      const slot = nextSlot(shard, actors, data)
      if ((await store.append(slot)).is !== 'written') throw new Error('a slot was taken')
      events += actors.length
      batches++
    }
  }
  await Promise.all(Array.from({ length: shards }, (_, shard) => write(shard)))
  const seconds = (performance.now() - startMs) / 1_000
  return { rows: events, perS: events / seconds, batchesPerS: batches / seconds }
}

const actorOf = (shard: number, index: number): string =>
  `acc_${shard.toString(16).padStart(2, '0')}${index.toString().padStart(26, '0')}`

const nextSlot = (shard: number, actors: readonly string[], data: string): LogSlot => {
  const no = nextNo.get(shard) ?? 0
  nextNo.set(shard, no + 1)
  const entries = actors.map((actor) => {
    const seq = (lastSeq.get(actor) ?? 0) + 1
    lastSeq.set(actor, seq)
    const commandId = `bench-command-${no}-${seq}`
    return { actor, seq, commandId, events: [data], timersSet: [], timersCleared: [] }
  })
  return { shard, no, epoch: 1, batchId: `bench~owner/${no}`, record: { kind: 'batch', entries } }
}
