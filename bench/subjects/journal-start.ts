// A journal that is filled and then killed, and another process that starts on what is left.
import { soleOwner } from '../../src/ports/journal.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { migrateCassandra } from '../../src/persistence/cassandra/migrate.ts'
import type { EngineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openJournal } from '../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../src/persistence/shard-log-settings.ts'
import type { LogSlot } from '../../src/persistence/store-port.ts'
import { FOLLOWERS } from './service-folder.ts'

const EVENT =
  '{"v":1,"d":{"type":"Deposited","amount":1,"note":"the quick brown fox jumps over the lazy dog and the lazy dog does not mind"}}'

export const actorOf = (shard: number, index: number): string =>
  `acc_${shard.toString(16).padStart(2, '0')}${index.toString().padStart(26, '0')}`

export type Volume = {
  readonly shards: number
  readonly actors: number
  readonly events: number
  readonly eventsPerBatch: number
}

/** Batches hold an event of many actors each, so that an actor's events lie far apart. */
export async function fill(settings: EngineSettings, volume: Volume): Promise<void> {
  if (settings.engine === 'cassandra') await migrateCassandra(settings.cassandra)
  const engine = await openEngine(settings)
  const { shards, eventsPerBatch } = volume
  const perShard = Math.ceil(volume.actors / shards)
  const total = Math.ceil(volume.events / shards)
  const fillShard = async (shard: number): Promise<void> => {
    for (let no = 0, written = 0; written < total; no++) {
      const entries = Array.from({ length: Math.min(eventsPerBatch, total - written) }, (_, index) => ({
        actor: actorOf(shard, (written + index) % perShard),
        seq: Math.floor((written + index) / perShard) + 1,
        commandId: `bench-${written + index}`,
        events: [EVENT],
        timersSet: [],
        timersCleared: [],
      }))
      const slot: LogSlot = {
        shard,
        no,
        epoch: 1,
        batchId: `filler/${no}`,
        record: { kind: 'batch', entries },
      }
      await engine.store.append(slot)
      written += entries.length
    }
  }
  await Promise.all(Array.from({ length: shards }, (_, shard) => fillShard(shard)))
  // No closing: the next process finds what a crash leaves behind.
  process.kill(process.pid, 'SIGKILL')
}

/** From nothing to every shard open for writing, and the first read of one actor, which must have all its events. */
export async function start(settings: EngineSettings, shards: number, actor: string, actorEvents: number) {
  const startedMs = performance.now()
  const runtime = createRuntime()
  const engine = await openEngine(settings)
  const openedMs = performance.now()
  const journal = openJournal(
    engine.store,
    runtime,
    { ...shardLogDefaults, ...FOLLOWERS },
    soleOwner(runtime.newId()),
  )
  const writers = await Promise.all(Array.from({ length: shards }, (_, shard) => journal.open(shard)))
  const readyMs = performance.now()
  const { events } = (await writers[0]?.load(actor)) ?? { events: [] }
  const readMs = performance.now()
  if (events.length !== actorEvents) throw new Error(`${events.length} events of ${actor} were read`)
  await journal[Symbol.asyncDispose]()
  await engine[Symbol.asyncDispose]()
  return {
    engineMs: openedMs - startedMs,
    readyMs: readyMs - startedMs,
    firstReadMs: readMs - readyMs,
  }
}
