import { fnv1a } from '../../domain/fnv1a.ts'
import type { JournalEntry, StoredEvent, StoredSnapshot } from '../../ports/journal.ts'
import { entriesOf, type LogSlot } from '../store-port.ts'
import { actorRuns, BUCKET_EVENTS, RUN_EVENTS_MAX } from './actor-runs.ts'
import { decodeEntries, encodeEntries } from './entries-codec.ts'
import { type CassandraSession, numberOf, type Statement, statement } from './session.ts'
import * as cql from './statements.ts'

/** Splits the list of a shard's actors, so that its partitions stay small with a hundred million actors. */
const ACTOR_BUCKETS = 16

/** Each actor's own events, copied from the log, and its snapshot. */
export class ActorTables {
  readonly #session: CassandraSession

  constructor(session: CassandraSession) {
    this.#session = session
  }

  /** The copies of these slots as lists of statements; each list belongs to one partition. */
  copiesOf(slots: readonly LogSlot[]): readonly (readonly Statement[])[] {
    const partitions = Map.groupBy(actorRuns(slots), ({ actor, bucket }) => `${actor} ${bucket}`)
    const copies = [...partitions.values()].map((runs) =>
      runs.map(({ actor, bucket, seq, lastSeq, entries }) =>
        statement(cql.insertEvents, actor, bucket, seq, encodeEntries(entries), lastSeq),
      ),
    )
    return [...copies, ...enumerations(slots)]
  }

  /** Runs overlap where a takeover cut them differently; their events are the same there. */
  async readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = []
    for (let bucket = Math.floor((afterSeq + 1) / BUCKET_EVENTS); ; bucket++) {
      const rows = await this.#session.read(
        statement(cql.readEvents, actor, bucket, afterSeq - RUN_EVENTS_MAX),
      )
      for (const row of rows) addEvents(events, decodeEntries(row['events'] as Buffer), afterSeq)
      if (rows.length === 0) return events
    }
  }

  async readSnapshot(actor: string): Promise<StoredSnapshot | null> {
    const [row] = await this.#session.read(statement(cql.readSnapshot, actor))
    return row === undefined ? null : { seq: numberOf(row['seq']), data: row['data'] as string }
  }

  /** The sequence number is the write time, so the newest snapshot stays. */
  async writeSnapshot(actor: string, { seq, data }: StoredSnapshot): Promise<void> {
    await this.#session.write([statement(cql.writeSnapshot, actor, seq, data, seq)])
  }

  async list(shard: number, after: string | null, limit: number): Promise<readonly string[]> {
    const actors: string[] = []
    const first = after === null ? 0 : bucketOf(after)
    for (let bucket = first; bucket < ACTOR_BUCKETS && actors.length < limit; bucket++) {
      const from = bucket === first ? (after ?? '') : ''
      const rows = await this.#session.read(
        statement(cql.readActors, shard, bucket, from, limit - actors.length),
      )
      actors.push(...rows.map((row) => row['actor'] as string))
    }
    return actors
  }
}

const addEvents = (events: StoredEvent[], entries: readonly JournalEntry[], afterSeq: number): void => {
  for (const entry of entries) {
    for (const [index, data] of entry.events.entries()) {
      const seq = entry.seq + index
      const expected = (events.at(-1)?.seq ?? afterSeq) + 1
      if (seq === expected) events.push({ seq, commandId: entry.commandId, data })
    }
  }
}

/** The first event of an actor puts it on the list of its shard. */
const enumerations = (slots: readonly LogSlot[]): readonly (readonly Statement[])[] => {
  const begun = slots.flatMap((slot) =>
    entriesOf(slot).flatMap(({ actor, seq }) => (seq === 1 ? [{ shard: slot.shard, actor }] : [])),
  )
  return [...Map.groupBy(begun, ({ actor }) => bucketOf(actor))].map(([bucket, actors]) =>
    actors.map(({ shard, actor }) => statement(cql.insertActor, shard, bucket, actor)),
  )
}

const bucketOf = (actor: string): number => fnv1a(actor) % ACTOR_BUCKETS
