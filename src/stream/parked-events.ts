import { isRetryable } from '../ports/actors.ts'
import type { Journal, TailRecord } from '../ports/journal.ts'
import {
  type HeldEvent,
  journalOf,
  type Parked,
  type ParkedFrom,
  ParkingFull,
  type ParkedPart,
  type Parking,
} from '../ports/parking.ts'
import type { PublicEvent, Publish } from '../ports/publication.ts'
import type { Runtime } from '../ports/runtime.ts'
import { EventRefused, type EventStream, type StreamRecord } from '../ports/stream.ts'

export type ParkedEventsParts = {
  readonly journal: Pick<Journal, 'readEvents'>
  readonly stream: Pick<EventStream, 'publish'>
  readonly publish: Publish
  readonly parking: Parking
  readonly runtime: Pick<Runtime, 'now'>
  /** Takes in an event whose endpoint could not be read; rejects when it still cannot. */
  readonly takeAgain: (event: PublicEvent) => Promise<void>
}

/** A record of the stream with the actor whose event it is, and which of the actor's events. */
export type Publishable = StreamRecord & { readonly actor: string; readonly seq: number }

/** An event that the stream refuses, for whose record there is no more room. */
export type NotParked = Pick<Publishable, 'place'> & { readonly failure: ParkingFull }

/** An event of a shard that another node serves is in the actor's journal when that has copied it there, seconds later. */
const COPIED_WITHIN_MS = 600_000

type Waiting = Parked & { readonly from: ParkedFrom }

const waits = (parked: Parked): parked is Waiting => parked.from !== null

/** Records of one shard whose events wait, because an earlier event of theirs cannot be read. */
export class ParkedEvents {
  readonly #parts: ParkedEventsParts
  readonly #shard: number
  #parked: readonly Parked[] = []
  readonly #waitingFrom = new Map<string, number>()

  constructor(parts: ParkedEventsParts, shard: number) {
    this.#parts = parts
    this.#shard = shard
  }

  count(part: ParkedPart): number {
    return this.#parked.filter((each) => each.part === part).length
  }

  async load(): Promise<void> {
    this.#parked = await this.#parts.parking.of(this.#shard)
    this.#waitingFrom.clear()
    for (const { recordId, from } of this.#parked.filter(waits)) this.#waitingFrom.set(recordId, from.seq)
  }

  /** Whether the event stands behind one that could not be read. Earlier ones may come again after a crash. */
  holds(actor: string, seq: number): boolean {
    const from = this.#waitingFrom.get(actor)
    return from !== undefined && seq >= from
  }

  /** From this event on the record waits; resolves when that is durable. */
  park({ no, index, entry }: TailRecord, seq: number, error: unknown): Promise<void> {
    return this.#park('events', entry.actor, { seq, no, index }, error)
  }

  /**
   * In order; the record of an event that the stream refuses waits from there on. Ends at the first one that cannot
   * wait, and answers with it; null when there is none.
   */
  async publish(records: readonly Publishable[]): Promise<NotParked | null> {
    for (let rest = records; rest.length > 0; ) {
      try {
        await this.#parts.stream.publish(rest)
        return null
      } catch (error) {
        const refused = error instanceof EventRefused ? rest[error.index] : undefined
        if (!(error instanceof EventRefused) || refused === undefined) throw error
        const { place, actor, seq } = refused
        try {
          await this.#park('stream', actor, { seq, no: place.no, index: place.index }, error)
        } catch (failure) {
          if (failure instanceof ParkingFull) return { place, failure }
          throw failure
        }
        rest = rest.slice(error.index + 1).filter((each) => !this.holds(each.actor, each.seq))
      }
    }
    return null
  }

  isChangedBy(tail: readonly TailRecord[]): boolean {
    return tail.some(({ entry }) => this.#parts.parking.isChangedBy(entry.actor))
  }

  /** Everything that an operator wants tried again. */
  async retry(): Promise<void> {
    const { parking } = this.#parts
    await this.load()
    const asked = this.#parked.filter(({ isRetryAsked, part }) => isRetryAsked && part !== 'lists')
    for (const each of asked) {
      const read = await this.#readable(each, () => this.#eventsOf(each))
      if (read === null) continue
      const passedOn = waits(each) ? this.#publishAgain(each, read) : this.#takeAll(each, read)
      if (!(await passedOn)) continue
      await parking.release(this.#shard, each.id, each.held)
    }
    if (asked.length > 0) await this.load()
  }

  /** Null where it still cannot be read; infrastructure that is away is for the caller. */
  async #readable<Result>({ id }: Parked, attempt: () => Promise<Result>): Promise<Result | null> {
    try {
      return await attempt()
    } catch (error) {
      if (isRetryable(error)) throw error
      await this.#parts.parking.keep(this.#shard, id, error)
      return null
    }
  }

  /**
   * All that waits for it, in order, from the journals of the records: the log may have let it go. What a fold has taken
   * there, because an older release did not know whose it was, counts as passed on: the others would wait for ever.
   */
  async #eventsOf(parked: Parked): Promise<readonly StreamRecord[]> {
    const { recordId, from, held } = parked
    if (from !== null) return this.#publicEvents(recordId, from)
    const records: StreamRecord[] = []
    for (const each of held) {
      const all = await this.#publicEvents(journalOf(each), { seq: 1, no: 0, index: 0 })
      const found = all.find(({ event }) => event.id === each.id)
      if (found !== undefined) records.push(found)
      else if (this.#mayStillCome(each)) throw new Error('the journal does not have the event yet')
    }
    return records
  }

  #mayStillCome({ sinceMs = Number.NEGATIVE_INFINITY }: HeldEvent): boolean {
    return this.#parts.runtime.now() - sinceMs < COPIED_WITHIN_MS
  }

  async #publicEvents(actor: string, { seq, no, index }: ParkedFrom): Promise<readonly StreamRecord[]> {
    const { journal, publish } = this.#parts
    const place = { shard: this.#shard, no, index }
    const stored = await journal.readEvents(actor, seq - 1)
    return stored.flatMap(({ data }) => {
      const event = publish(actor, data)
      return event === null ? [] : [{ place, event }]
    })
  }

  /** Whatever else the stream fails with is not about the event. */
  async #publishAgain({ id }: Parked, records: readonly StreamRecord[]): Promise<boolean> {
    try {
      await this.#parts.stream.publish(records)
      return true
    } catch (error) {
      if (!(error instanceof EventRefused)) throw error
      await this.#parts.parking.keep(this.#shard, id, error)
      return false
    }
  }

  async #takeAll(parked: Parked, records: readonly StreamRecord[]): Promise<boolean> {
    const taken = await this.#readable(parked, async () => {
      for (const { event } of records) await this.#parts.takeAgain(event)
      return true
    })
    return taken ?? false
  }

  async #park(part: 'events' | 'stream', recordId: string, from: ParkedFrom, error: unknown): Promise<void> {
    await this.#parts.parking.park(this.#shard, { part, recordId, from, error })
    await this.load()
  }
}
