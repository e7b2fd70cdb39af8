import type { EventFeed, FeedPlace } from '../actors/feed-port.ts'
import { AskFailed } from '../actors/ports.ts'
import type { EventStream, StreamRecord } from '../actors/stream-port.ts'
import { type Refused, refuse } from '../domain/refused.ts'
import { type ChannelSettings, FeedChannel } from './feed-channel.ts'

export type FeedSettings = ChannelSettings & {
  readonly listenersOfTenantMax: number
  readonly listenersMax: number
}

const RETRY_MS = 2_000

/**
 * The newest events of the organisations that somebody listens to. Each has one bounded store, in which every listener
 * has a place, so a slow one costs no memory. While nobody listens, nothing is followed and nothing is kept.
 */
export class LiveFeed implements EventFeed, AsyncDisposable {
  readonly #stream: Pick<EventStream, 'listen'>
  readonly #settings: FeedSettings
  readonly #channels = new Map<string, FeedChannel>()
  #listeners = 0
  #followed: Promise<AsyncDisposable> | null = null

  constructor(stream: Pick<EventStream, 'listen'>, settings: FeedSettings) {
    this.#stream = stream
    this.#settings = settings
  }

  async listen(tenant: string, after: string | null, wake: () => void): Promise<FeedPlace | Refused> {
    const { listenersOfTenantMax, listenersMax } = this.#settings
    if ((this.#channels.get(tenant)?.listeners ?? 0) >= listenersOfTenantMax)
      return refuse(
        'rate_limited',
        `There are ${listenersOfTenantMax} streams open already; close one first.`,
      )
    if (this.#listeners >= listenersMax)
      return refuse('overloaded', 'Too many streams are open at the service; try again.')
    const channel = this.#channelOf(tenant)
    this.#listeners += 1
    channel.enter()
    this.#followed ??= this.#stream.listen((records) => this.#take(records))
    const followed = this.#followed
    try {
      await followed
    } catch (error) {
      if (this.#followed === followed) this.#followed = null
      this.#leave(tenant, channel)
      throw new AskFailed('unavailable', 'the stream of events is away', RETRY_MS, { cause: error })
    }
    return channel.place(after, wake, () => this.#leave(tenant, channel))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const tenant of this.#channels.keys()) this.#drop(tenant)
    await this.#unfollow()
  }

  #take(records: readonly StreamRecord[]): void {
    for (const { event } of records) this.#channels.get(event.tenant)?.add(event)
  }

  #channelOf(tenant: string): FeedChannel {
    const known = this.#channels.get(tenant)
    if (known !== undefined) return known
    const channel = new FeedChannel(this.#settings)
    this.#channels.set(tenant, channel)
    return channel
  }

  #leave(tenant: string, channel: FeedChannel): void {
    this.#listeners -= 1
    channel.leave(() => this.#drop(tenant))
    const idle = [...this.#channels].filter(([, { listeners }]) => listeners === 0)
    // Those that linger are as many at most as those that may listen; the oldest goes first.
    if (idle.length > this.#settings.listenersMax) this.#drop(idle[0]?.[0] ?? tenant)
  }

  #drop(tenant: string): void {
    this.#channels.get(tenant)?.[Symbol.dispose]()
    this.#channels.delete(tenant)
    if (this.#channels.size === 0) void this.#unfollow()
  }

  async #unfollow(): Promise<void> {
    const followed = this.#followed
    this.#followed = null
    try {
      await (await followed)?.[Symbol.asyncDispose]()
    } catch {
      // It never came to be, or could not be told; nothing is followed either way.
    }
  }
}
