import { isRetryable } from '../../ports/actors.ts'
import type { FeedEnd, FeedPlace, Synthetic, TooLarge } from '../../ports/event-feed.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import type { Flow, Outlet, Streaming } from '../server/server.ts'

export type EventStreamParts = {
  readonly place: FeedPlace
  /** The body that a webhook would get. */
  readonly bodyOf: (event: PublicEvent) => Promise<string>
  /** Called with every event that can never be read. */
  readonly unreadable: (event: PublicEvent, error: unknown) => void
  /** Whether the credential that opened the stream is still good for it. */
  readonly mayGoOn: () => Promise<boolean>
  readonly heartbeatMs: number
  /** How soon the stream ends after its credential, although nothing happens. */
  readonly checkMs: number
}

/** How long clients wait before they come back. */
const RETRY_MS = 3_000
const GREETING = `retry: ${RETRY_MS}\n: events follow as they happen\n\n`
const GAP = 'event: stream.gap\ndata: {}\n\n'
type LeftOut = 'too_large' | 'unreadable'

const named = (event: string, data: object, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** Carries the id of the event, so that a client that comes back goes on after it. */
const leftOut = (id: string, reason: LeftOut): string => named('stream.left_out', { id, reason }, id)

const HEARTBEAT = ': still here\n\n'

/**
 * Server-sent events for one caller. One event at a time is on its way to the connection; the others stay in the list
 * that all readers share. Before each event the credential is checked again: after it was revoked nothing more is sent.
 */
export class EventStreaming implements Streaming {
  readonly #parts: EventStreamParts
  #outlet: Outlet | null = null
  #beating: NodeJS.Timeout | null = null
  #checking: NodeJS.Timeout | null = null
  #isFull = false
  /** The connection was full at the last heartbeat, and the caller has not read everything since. */
  #isStalled = false
  #isPumping = false

  constructor(parts: EventStreamParts) {
    this.#parts = parts
  }

  start(outlet: Outlet): Flow {
    const { place, heartbeatMs, checkMs } = this.#parts
    this.#outlet = outlet
    this.#beating = setInterval(() => void this.#beat(), heartbeatMs)
    this.#checking = setInterval(() => void this.#check(), checkMs)
    this.#write(place.isUnbroken ? GREETING : GREETING + GAP)
    this.wake()
    return { drained: () => this.#drained(), ended: () => this.cancel() }
  }

  cancel(): void {
    this.#outlet = null
    if (this.#beating !== null) clearInterval(this.#beating)
    if (this.#checking !== null) clearInterval(this.#checking)
    this.#beating = null
    this.#checking = null
    this.#parts.place[Symbol.dispose]()
  }

  /** Called when there may be a new event. */
  wake(): void {
    if (!this.#isPumping) void this.#pump()
  }

  async #pump(): Promise<void> {
    this.#isPumping = true
    try {
      while (this.#outlet !== null && !this.#isFull) {
        const next = this.#parts.place.next()
        if (next === null) return
        if (typeof next === 'string') return this.#endBecause(next)
        if (!(await this.#parts.mayGoOn())) return this.#outlet?.end()
        this.#write(await this.#textOf(next))
      }
      // Another stream has this place already: waiting for the reader would keep more streams open than there are places.
      if (this.#parts.place.isDisplaced) this.#outlet?.end()
    } catch {
      // The caller comes back, and gets the event that failed then.
      this.#outlet?.end()
    } finally {
      this.#isPumping = false
    }
  }

  /**
   * An event that fails for a while is sent when the caller comes back. One that always fails must not hold up the
   * others.
   */
  async #textOf(next: PublicEvent | TooLarge | Synthetic): Promise<string> {
    if ('tooLarge' in next) return leftOut(next.tooLarge, 'too_large')
    // Without a line of its id: a client comes back behind the last event that has happened.
    if ('synthetic' in next) return this.#told(next.synthetic)
    try {
      return `id: ${next.id}\n${await this.#told(next)}`
    } catch (error) {
      if (isRetryable(error)) throw error
      this.#parts.unreadable(next, error)
      return leftOut(next.id, 'unreadable')
    }
  }

  async #told(event: PublicEvent): Promise<string> {
    return `event: ${event.type}\ndata: ${await this.#parts.bodyOf(event)}\n\n`
  }

  #endBecause(reason: FeedEnd): void {
    this.#write(named('stream.end', { reason }))
    this.#outlet?.end()
  }

  async #beat(): Promise<void> {
    if (this.#isFull && this.#isStalled) return this.#outlet?.end()
    this.#isStalled = this.#isFull
    const mayGoOn = await this.#parts.mayGoOn().catch(() => false)
    if (!mayGoOn) this.#outlet?.end()
    else if (!this.#isFull) this.#write(HEARTBEAT)
  }

  /** What cannot be checked now is checked with the next heartbeat, which must say so. */
  async #check(): Promise<void> {
    if (!(await this.#parts.mayGoOn().catch(() => true))) this.#outlet?.end()
  }

  #drained(): void {
    this.#isFull = false
    this.#isStalled = false
    this.wake()
  }

  #write(text: string): void {
    if (this.#outlet?.write(text) === false) this.#isFull = true
  }
}
