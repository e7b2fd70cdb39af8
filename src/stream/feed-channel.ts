import type { FeedEnd, FeedPlace, Listener, ListenerKind, Synthetic, TooLarge } from '../ports/event-feed.ts'
import type { PublicEvent } from '../ports/publication.ts'

export type ChannelSettings = {
  /** A listener that is further behind loses the older events. */
  readonly eventsKeptMax: number
  readonly bytesKeptMax: number
  /** A larger event is not kept, only the fact that it happened. */
  readonly eventBytesMax: number
  /** How long events are still kept when the last listener has left, so that it can come back. */
  readonly lingerMs: number
}

type Kept = { readonly id: string; readonly event: PublicEvent | TooLarge; readonly bytes: number }
type Listening = {
  readonly end: (reason: FeedEnd) => void
  readonly wake: () => void
  readonly hand: (synthetic: Synthetic) => boolean
}

/** The memory of an event besides its texts. */
const EVENT_COST_BYTES = 512
/** Of one listener. They are small, and shared by all that wait for them. */
const SYNTHETIC_WAITING_MAX = 16

/** The newest events of one organisation, numbered from when the first listener came. */
export class FeedChannel implements Disposable {
  readonly #listeners: Record<ListenerKind, number> = { api_key: 0, session: 0 }
  /** How many of them each person has. */
  readonly #people = new Map<string, number>()
  readonly #settings: ChannelSettings
  readonly #counted: (bytes: number) => void
  /** In the order in which the listeners came. */
  readonly #places = new Set<Listening>()
  #events: Kept[] = []
  readonly #numbers = new Map<string, number>()
  /** The number of the oldest event that is kept. */
  #first = 0
  /** Events before this number may have been lost on their way here. */
  #completeFrom = 0
  #bytes = 0
  #lingering: NodeJS.Timeout | null = null

  /** `counted` is called with how many bytes more or less are kept. */
  constructor(settings: ChannelSettings, counted: (bytes: number) => void = () => undefined) {
    this.#settings = settings
    this.#counted = counted
  }

  get bytes(): number {
    return this.#bytes
  }

  get listeners(): number {
    return this.#listeners.api_key + this.#listeners.session
  }

  listenersBy(by: ListenerKind): number {
    return this.#listeners[by]
  }

  listenersOfPerson(person: string): number {
    return this.#people.get(person) ?? 0
  }

  enter(listener: Listener): void {
    this.#countListener(listener, 1)
    if (this.#lingering !== null) clearTimeout(this.#lingering)
    this.#lingering = null
  }

  leave(listener: Listener, over: () => void): void {
    this.#countListener(listener, -1)
    if (this.listeners === 0) this.#lingering = setTimeout(over, this.#settings.lingerMs).unref()
  }

  /** An event that comes again, as after a crash, is known already. */
  add(event: PublicEvent): void {
    const { id } = event
    if (this.#numbers.has(id)) return
    const { eventsKeptMax, bytesKeptMax, eventBytesMax } = this.#settings
    const size = sizeOf(event)
    const kept: Kept =
      size > eventBytesMax
        ? { id, event: { tooLarge: id }, bytes: EVENT_COST_BYTES }
        : { id, event, bytes: EVENT_COST_BYTES + size }
    this.#numbers.set(id, this.#end)
    this.#events.push(kept)
    this.#count(kept.bytes)
    while (this.#events.length > eventsKeptMax || (this.#bytes > bytesKeptMax && this.#events.length > 1))
      this.forgetOldest()
    this.#wakeAll()
  }

  forgetOldest(): void {
    const oldest = this.#events.shift()
    if (oldest === undefined) return
    this.#first += 1
    this.#numbers.delete(oldest.id)
    this.#count(-oldest.bytes)
  }

  /**
   * Called when events may be missing from here on: present listeners have to be informed, and no listener can continue
   * from an earlier event.
   */
  lose(): void {
    this.#first = this.#end + 1
    this.#completeFrom = this.#first
    this.#events = []
    this.#numbers.clear()
    this.#count(-this.#bytes)
    this.#wakeAll()
  }

  /** Ends the oldest place; false when there is none. */
  displaceOldest(): boolean {
    const [oldest] = this.#places
    oldest?.end('displaced')
    return oldest !== undefined
  }

  /**
   * Beside the events that are kept, so that it pushes none of them out and is no place to go on from. A listener that
   * has not taken many of them goes without; answers with how many have it.
   */
  trigger(event: PublicEvent): number {
    const synthetic = { synthetic: event }
    return [...this.#places].filter((place) => place.hand(synthetic)).length
  }

  place(after: string | null, wake: () => void, left: () => void): FeedPlace {
    const waiting: Synthetic[] = []
    const known = after === null ? undefined : this.#numbers.get(after)
    let next = known === undefined ? this.#end : known + 1
    let ended: FeedEnd | null = null
    const leave = (): void => {
      if (this.#places.delete(listening)) left()
    }
    const end = (reason: FeedEnd): void => {
      ended = reason
      leave()
      wake()
    }
    const hand = (synthetic: Synthetic): boolean => {
      if (waiting.length >= SYNTHETIC_WAITING_MAX) return false
      waiting.push(synthetic)
      wake()
      return true
    }
    const listening: Listening = { wake, end, hand }
    this.#places.add(listening)
    return {
      isUnbroken: after === null || known !== undefined,
      get isDisplaced() {
        return ended === 'displaced'
      },
      next: () => {
        if (ended !== null) return ended
        const synthetic = waiting.shift()
        if (synthetic !== undefined) return synthetic
        if (next < this.#first) return next < this.#completeFrom ? 'lost' : 'behind'
        const kept = this.#events[next - this.#first]
        if (kept === undefined) return null
        next += 1
        return kept.event
      },
      [Symbol.dispose]: leave,
    }
  }

  [Symbol.dispose](): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering)
    this.#events = []
    this.#count(-this.#bytes)
  }

  get #end(): number {
    return this.#first + this.#events.length
  }

  #countListener(listener: Listener, change: 1 | -1): void {
    this.#listeners[listener.kind] += change
    if (listener.kind === 'api_key') return
    const { person } = listener
    const count = this.listenersOfPerson(person) + change
    if (count === 0) this.#people.delete(person)
    else this.#people.set(person, count)
  }

  #wakeAll(): void {
    for (const { wake } of this.#places) wake()
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    this.#counted(bytes)
  }
}

const sizeOf = ({ data, sealed }: PublicEvent): number => JSON.stringify(data).length + (sealed?.length ?? 0)
