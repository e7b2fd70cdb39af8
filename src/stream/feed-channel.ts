import type { FeedPlace } from '../actors/feed-port.ts'
import type { PublicEvent } from '../actors/publication-port.ts'

export type ChannelSettings = {
  /** Whoever is further behind has lost what is older. */
  readonly eventsKeptMax: number
  readonly bytesKeptMax: number
  /** How long events go on being kept when the last listener has left, so that it can come back. */
  readonly lingerMs: number
}

/** The newest events of one organisation, numbered from when the first listener came. */
export class FeedChannel implements Disposable {
  listeners = 0
  readonly #settings: ChannelSettings
  readonly #wakers = new Set<() => void>()
  readonly #events: PublicEvent[] = []
  readonly #numbers = new Map<string, number>()
  /** The number of the oldest event that is kept. */
  #first = 0
  #bytes = 0
  #lingering: NodeJS.Timeout | null = null

  constructor(settings: ChannelSettings) {
    this.#settings = settings
  }

  enter(): void {
    this.listeners += 1
    if (this.#lingering !== null) clearTimeout(this.#lingering)
    this.#lingering = null
  }

  leave(over: () => void): void {
    this.listeners -= 1
    if (this.listeners === 0) this.#lingering = setTimeout(over, this.#settings.lingerMs).unref()
  }

  /** One that comes again, as after a crash, is known already. */
  add(event: PublicEvent): void {
    if (this.#numbers.has(event.id)) return
    this.#numbers.set(event.id, this.#end)
    this.#events.push(event)
    this.#bytes += bytesOf(event)
    const { eventsKeptMax, bytesKeptMax } = this.#settings
    while (this.#events.length > eventsKeptMax || (this.#bytes > bytesKeptMax && this.#events.length > 1))
      this.#forgetOldest()
    for (const wake of this.#wakers) wake()
  }

  place(after: string | null, wake: () => void, left: () => void): FeedPlace {
    const known = after === null ? undefined : this.#numbers.get(after)
    let next = known === undefined ? this.#end : known + 1
    let isOver = false
    this.#wakers.add(wake)
    return {
      isUnbroken: after === null || known !== undefined,
      next: () => {
        if (next < this.#first) return 'behind'
        const event = this.#events[next - this.#first]
        if (event === undefined) return null
        next += 1
        return event
      },
      [Symbol.dispose]: () => {
        if (isOver) return
        isOver = true
        this.#wakers.delete(wake)
        left()
      },
    }
  }

  [Symbol.dispose](): void {
    if (this.#lingering !== null) clearTimeout(this.#lingering)
  }

  get #end(): number {
    return this.#first + this.#events.length
  }

  #forgetOldest(): void {
    const oldest = this.#events.shift()
    if (oldest === undefined) return
    this.#first += 1
    this.#bytes -= bytesOf(oldest)
    this.#numbers.delete(oldest.id)
  }
}

const bytesOf = ({ data, sealed }: PublicEvent): number => JSON.stringify(data).length + (sealed?.length ?? 0)
