import { fnv1a } from '../../domain/fnv1a.ts'
import type { JournalEntry, StoredActor, StoredEvent, StoredSnapshot } from '../../ports/journal.ts'
import { entriesOf, type Forgettable, type LogSlot } from '../store-port.ts'
import { actorRuns, bucketOfSeq, RUN_EVENTS_MAX } from './actor-runs.ts'
import { decodeEntries, encodeEntries } from './entries-codec.ts'
import { type CassandraSession, numberOf, type Statement, statement } from './session.ts'
import * as cql from './statements.ts'
import { timeAfterSlot, timeOfSlot, timeOfSnapshot } from './write-times.ts'

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
      runs.map(({ actor, bucket, seq, lastNo, entries }) =>
        statement(cql.insertEvents, actor, bucket, seq, encodeEntries(entries), timeOfSlot(lastNo)),
      ),
    )
    return [...copies, ...enumerations(slots)]
  }

  /**
   * A fold that ends late may write a newer snapshot and take events away between the reads, one bucket after the other.
   * Events of one bucket are there or gone together, so only where there are none, or those of several, is there a doubt.
   */
  async readActor(actor: string): Promise<StoredActor> {
    let snapshot = await this.readSnapshot(actor)
    for (;;) {
      const seq = snapshot?.seq ?? 0
      const events = await this.#eventsAfter(actor, seq)
      const [first, last] = [events[0], events.at(-1)]
      if (first && last && bucketOfSeq(first.seq) === bucketOfSeq(last.seq)) return { snapshot, events }
      const newest = await this.readSnapshot(actor)
      if ((newest?.seq ?? 0) === seq) return { snapshot, events }
      snapshot = newest
    }
  }

  /** Of a record that was folded and lives on the first buckets may be gone: then what follows its snapshot is left. */
  async readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    const events = await this.#eventsAfter(actor, afterSeq)
    if (events.length > 0) return events
    const foldedSeq = (await this.readSnapshot(actor))?.seq ?? 0
    return foldedSeq > afterSeq ? this.#eventsAfter(actor, foldedSeq) : events
  }

  /** Runs overlap where a takeover cut them differently; their events are the same there. */
  async #eventsAfter(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = []
    for (let bucket = bucketOfSeq(afterSeq + 1); ; bucket++) {
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

  /** Slot and sequence number are the write time, so the newest snapshot stays. */
  async writeSnapshot(actor: string, { seq, data }: StoredSnapshot, atNo: number): Promise<void> {
    await this.#session.write([statement(cql.writeSnapshot, actor, seq, data, timeOfSnapshot(atNo, seq))])
  }

  /**
   * Whole partitions go, each by one tombstone, dated after the slot: a copy of an earlier slot that comes later is dead
   * on arrival, and one that comes when the tombstone is gone too is passed over, because the snapshot is newer.
   */
  async forget(shard: number, { actor, seq, data, atNo }: Forgettable): Promise<void> {
    const time = timeAfterSlot(atNo)
    if (data === null) {
      await this.#session.write([statement(cql.deleteSnapshot, time, actor)])
      await this.#session.write([statement(cql.deleteActor, time, shard, bucketOf(actor), actor)])
    } else if (data !== undefined) await this.writeSnapshot(actor, { seq, data }, atNo)
    const last = bucketOfSeq(seq)
    // What goes whole may begin anew, and would find what was left of its first life.
    for (let bucket = data === null ? 0 : await this.#firstLeft(actor, last); bucket <= last; bucket++)
      await this.#session.write([statement(cql.deleteEvents, time, actor, bucket)])
  }

  /**
   * A record that lives on is folded again and again: a bucket that went before gets no further tombstone. The last two get
   * one without a look, because copies for them may still be on their way; those before are deleted from the first one on, so
   * none that is empty lies above one that is not.
   */
  async #firstLeft(actor: string, last: number): Promise<number> {
    let first = Math.max(0, last - 1)
    while (first > 0 && (await this.#hasEvents(actor, first - 1))) first--
    return first
  }

  async #hasEvents(actor: string, bucket: number): Promise<boolean> {
    return (await this.#session.read(statement(cql.readAnyEvent, actor, bucket))).length > 0
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
      const last = events.at(-1)?.seq ?? afterSeq
      // Where even the first event is missing the reader is to see the others: the record begins anew, or is damaged.
      if (seq === last + 1 || last === 0) events.push({ seq, commandId: entry.commandId, data })
    }
  }
}

/** The first event of an actor puts it on the list of its shard. */
const enumerations = (slots: readonly LogSlot[]): readonly (readonly Statement[])[] => {
  const begun = slots.flatMap((slot) =>
    entriesOf(slot).flatMap(({ actor, seq }) => (seq === 1 ? [{ ...slot, actor }] : [])),
  )
  return [...Map.groupBy(begun, ({ actor }) => bucketOf(actor))].map(([bucket, actors]) =>
    actors.map(({ shard, no, actor }) => statement(cql.insertActor, shard, bucket, actor, timeOfSlot(no))),
  )
}

const bucketOf = (actor: string): number => fnv1a(actor) % ACTOR_BUCKETS
