import { soleOwner, type JournalEntry } from '../../../src/ports/journal.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorId } from '../../../src/domain/references.ts'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import type { JournalStore } from '../../../src/persistence/store-port.ts'
import { onPlace, type Place } from '../../harness/place.ts'
import { instead } from '../../simulate/instead.ts'
import { count, defineScenario, engineOption } from '../scenario.ts'

const EVENTS_PER_BATCH = 500
const ACTORS = 100
const ROUNDS = 3

/** An actor of a shard that is taken over can be read after this time at the latest. */
const TAKEOVER_LIMIT_MS = 5_000

export const takeover = defineScenario({
  about: 'A shard whose owner vanished with as many uncopied events as the lag allows is taken over.',
  options: { engine: engineOption, servers: count(1, 'nodes of Cassandra') },
  run: ({ engine, servers }) => onPlace((place) => place.addEngine(engine, servers), measureTakeover),
})

/** `openMs` until the log is walked and the epoch begun, `firstActorMs` until an actor whose events were not copied is read. */
const measureTakeover = async (place: Place) => {
  const engine = await openEngine(place.engine)
  const lagEvents = shardLogDefaults.copyLagEventsMax
  try {
    const openMs: number[] = []
    const firstActorMs: number[] = []
    for (let shard = 0; shard < ROUNDS; shard++) {
      await writeAndVanish(engine.store, shard, lagEvents)
      const runtime = createRuntime()
      const startedMs = performance.now()
      const journal = openJournal(engine.store, runtime, shardLogDefaults, soleOwner('next~1'))
      const opened = await journal.open(shard)
      openMs.push(Math.round(performance.now() - startedMs))
      const { events } = await opened.load(actorOf(shard, 0))
      if (events.length !== lagEvents / ACTORS) throw new Error(`${events.length} events were read`)
      firstActorMs.push(Math.round(performance.now() - startedMs))
      await journal[Symbol.asyncDispose]()
    }
    const late = firstActorMs.filter((ms) => ms > TAKEOVER_LIMIT_MS)
    const problems = late.map((ms) => `the first actor was read after ${ms} ms`)
    return { lagEvents, openMs, firstActorMs, problems }
  } finally {
    await engine[Symbol.asyncDispose]()
  }
}

const actorOf = (shard: number, index: number): string =>
  actorId('cnt', shard, String(index).padStart(8, '0'))

/** An owner whose copies never end, and that hands nothing back. */
const writeAndVanish = async (store: JournalStore, shard: number, lagEvents: number): Promise<void> => {
  const stuck = instead(store, { copy: () => new Promise(() => {}) })
  const journal = openJournal(stuck, createRuntime(), { ...shardLogDefaults }, soleOwner('gone~1'))
  const opened = await journal.open(shard)
  const perActor = EVENTS_PER_BATCH / ACTORS
  for (let batch = 0; batch < lagEvents / EVENTS_PER_BATCH; batch++) {
    const entries = Array.from(
      { length: ACTORS },
      (_, index): JournalEntry => ({
        actor: actorOf(shard, index),
        seq: batch * perActor + 1,
        commandId: `command-${batch}-${index}`,
        events: Array.from({ length: perActor }, () => JSON.stringify({ text: 'x'.repeat(200) })),
        timersSet: [],
        timersCleared: [],
      }),
    )
    await opened.append(entries)
  }
}
