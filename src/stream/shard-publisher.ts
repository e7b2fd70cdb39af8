import type { Journal, TailPosition, TailRecord } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ParkedPart } from '../ports/parking.ts'
import { type Backoff, backoffMs } from '../timing/backoff.ts'
import { type NotParked, ParkedEvents, type ParkedEventsParts, type Publishable } from './parked-events.ts'

export type PublisherParts = ParkedEventsParts & {
  readonly journal: Pick<Journal, 'readTail' | 'readPosition' | 'passed' | 'savePosition' | 'onCommitted'>
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'sleep' | 'random'>
  /** Of a shard that is open here, the epoch of its opening. */
  readonly epochOf: (shard: number) => number | null
  readonly report: (trouble: { readonly shard: number; readonly error: unknown }) => void
}

/** The positions are saved under this name; the journal keeps what the reader of this name has not passed. */
export const PUBLISHER = 'publisher'

const ENTRIES_AT_ONCE = 256
/**
 * After a crash, records published within this time are published again. Every shard saves at the same ticks of the
 * clock, because positions that are saved together cost one message to the store and one transaction.
 */
const SAVE_EVERY_MS = 5_000
const BACKOFF: Backoff = { firstMs: 100, maxMs: 10_000 }

/** What of a page of the log can be published; `failure` is why it ends before the page does. */
type Readable = {
  readonly records: readonly Publishable[]
  readonly last: TailRecord | undefined
  readonly failure?: unknown
}

/**
 * Follows the committed log of one shard and hands the public events of it to the stream, in order, none left out. A
 * record with an event that cannot be read is parked: it waits, with all its later events, and holds up no other.
 */
export class ShardPublisher implements AsyncDisposable {
  readonly #parts: PublisherParts
  readonly #shard: number
  readonly #stopped = new AbortController()
  readonly #parked: ParkedEvents
  /** Of the opening that it follows; while it ends, the shard may be opened again, and be followed by another. */
  readonly #epoch: number | null
  readonly #running: Promise<void>
  #woken = Promise.withResolvers<void>()
  #position: TailPosition | null = null
  /** Up to where events were ever handed over by this publisher. */
  #handed: TailPosition | null = null
  #unsaved = false
  #saveAtMs = 0
  #sleepsToSave = false

  constructor(parts: PublisherParts, shard: number) {
    this.#parts = parts
    this.#shard = shard
    this.#parked = new ParkedEvents(parts, shard)
    this.#epoch = parts.epochOf(shard)
    this.#running = this.#run()
  }

  /** Called after a commit, and now and then for one that was not heard of. */
  wake(): void {
    this.#woken.resolve()
  }

  parked(part: ParkedPart): number {
    return this.#parked.count(part)
  }

  /** Saves the position, so that the next owner of the shard does not repeat what is published. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort()
    this.#woken.resolve()
    await this.#running
    await this.#save().catch((error: unknown) => this.#parts.report({ shard: this.#shard, error }))
  }

  async #run(): Promise<void> {
    const { journal, runtime, report } = this.#parts
    const { signal } = this.#stopped
    let failures = 0
    let known = false
    while (!signal.aborted) {
      try {
        if (!known) {
          this.#position = await journal.readPosition(PUBLISHER, this.#shard)
          await this.#parked.load()
        }
        known = true
        await this.#step(signal)
        failures = 0
      } catch (error) {
        if (signal.aborted) return
        failures++
        report({ shard: this.#shard, error })
        await runtime.sleep(backoffMs(BACKOFF, failures, runtime.random()), signal).catch(() => undefined)
      }
    }
  }

  async #step(signal: AbortSignal): Promise<void> {
    const { journal, runtime } = this.#parts
    // Renewed before the read, so that a commit during the read is not missed.
    this.#woken = Promise.withResolvers()
    if (signal.aborted) return
    const tail = await journal.readTail(this.#shard, this.#position, ENTRIES_AT_ONCE)
    const page = await this.#readable(tail)
    this.#handed = laterOf(this.#handed, tail.at(-1))
    const refused = await this.#parked.publish(page.records)
    const { last, ...stopped } =
      refused === null ? page : { last: lastBefore(tail, refused), failure: refused.failure }
    // Where nothing more can be parked, a retry makes room, and its order stands further on in the log.
    if ('failure' in stopped || this.#parked.isChangedBy(tail)) await this.#parked.retry()
    if (last !== undefined) {
      this.#position = { no: last.no, index: last.index }
      journal.passed(PUBLISHER, this.#shard, this.#position)
      if (!this.#unsaved) this.#saveAtMs = nextTick(runtime.monotonicMs())
      this.#unsaved = true
    }
    const waitMs = this.#saveAtMs - runtime.monotonicMs()
    if (this.#unsaved && waitMs <= 0) await this.#save()
    if ('failure' in stopped) throw stopped.failure
    if (last !== undefined) return
    if (this.#unsaved) this.#saveIn(Math.max(1, waitMs))
    await this.#woken.promise
  }

  /** Every commit ends a rest early. A sleep that is left to end is cheaper than one that is begun and ended for each. */
  #saveIn(restMs: number): void {
    if (this.#sleepsToSave) return
    this.#sleepsToSave = true
    const woken = (): void => {
      this.#sleepsToSave = false
      this.wake()
    }
    this.#parts.runtime.sleep(restMs, this.#stopped.signal).then(woken, woken)
  }

  async #save(): Promise<void> {
    if (!this.#unsaved || this.#position === null) return
    await this.#parts.journal.savePosition(PUBLISHER, this.#shard, this.#position)
    this.#unsaved = false
  }

  async #readable(tail: readonly TailRecord[]): Promise<Readable> {
    const records: Publishable[] = []
    let last: TailRecord | undefined
    for (const each of tail) {
      const { no, index, entry } = each
      const isFirst = each.epoch === this.#epoch && isAfter(each, this.#handed)
      const place = { shard: this.#shard, no, index }
      for (const [offset, stored] of entry.events.entries()) {
        const seq = entry.seq + offset
        if (this.#parked.holds(entry.actor, seq)) break
        try {
          const event = this.#parts.publish(entry.actor, stored)
          if (event !== null)
            records.push({ place, event, actor: entry.actor, seq, ...(isFirst && { isFirst }) })
        } catch (error) {
          try {
            await this.#parked.park(each, seq, error)
          } catch (failure) {
            return { records, last, failure }
          }
        }
      }
      last = each
    }
    return { records, last }
  }
}

/** Where the log can be followed to without the event that was refused. */
const lastBefore = (tail: readonly TailRecord[], { place }: NotParked): TailRecord | undefined =>
  tail.findLast(({ no, index }) => no < place.no || (no === place.no && index < place.index))

const isAfter = ({ no, index }: TailPosition, other: TailPosition | null): boolean =>
  other === null || no > other.no || (no === other.no && index > other.index)

const laterOf = (one: TailPosition | null, other: TailPosition | undefined): TailPosition | null =>
  other !== undefined && isAfter(other, one) ? other : one

const nextTick = (nowMs: number): number => (Math.floor(nowMs / SAVE_EVERY_MS) + 1) * SAVE_EVERY_MS
