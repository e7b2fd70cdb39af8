import type { EventFeed, FeedPlace, Listener, ListenerKind } from '../ports/event-feed.ts'
import { AskFailed } from '../ports/actors.ts'
import type { PublicEvent } from '../ports/publication.ts'
import type { EventStream, StreamRecord } from '../ports/stream.ts'
import { refuse, type Refused } from '../domain/decider.ts'
import { within } from '../timing/within.ts'
import { FeedChannel, type ChannelSettings } from './feed-channel.ts'

export type FeedSettings = ChannelSettings & {
  readonly listenersOfTenantMax: Readonly<Record<ListenerKind, number>>
  /** Those of one person, so that no one takes all that the people of an organisation have. */
  readonly listenersOfPersonMax: number
  readonly listenersMax: number
  /** The bytes kept for all organisations together. */
  readonly bytesKeptOfAllMax: number
  /** How long a listener waits for the stream before it gives its place back. */
  readonly beginMs: number
}

/** Takes the count of this process, by a text that says of what, and gives the way to that of all others together. */
type Shared = (name: 'streams' | 'triggered', here: (of: string) => number) => Elsewhere
type Elsewhere = (of: string) => Promise<number>

const PEOPLE = 'session '
const PERSON = 'person '

/** A bound on listeners: how many may be counted under the name by which other processes are asked too. */
type Bound = { readonly name: string; readonly most: number; readonly whose: string }

const RETRY_MS = 2_000

/**
 * The newest events of the organisations that have listeners. Each organisation has one bounded store, in which every
 * listener has a place, so a slow one costs no memory. Without listeners nothing is followed and nothing is kept.
 */
export class LiveFeed implements EventFeed, AsyncDisposable {
  readonly #stream: Pick<EventStream, 'listen'>
  readonly #settings: FeedSettings
  /** How many listeners of an organisation other processes have. */
  readonly #listenersElsewhere: Elsewhere
  /** How many listeners there a made-up event has reached. */
  readonly #triggeredElsewhere: Elsewhere
  readonly #channels = new Map<string, FeedChannel>()
  #listeners = 0
  #bytes = 0
  #followed: Promise<AsyncDisposable> | null = null

  constructor(
    stream: Pick<EventStream, 'listen'>,
    settings: FeedSettings,
    shared: Shared = () => () => Promise.resolve(0),
  ) {
    this.#stream = stream
    this.#settings = settings
    this.#listenersElsewhere = shared('streams', (name) => this.#listenersNamed(name))
    this.#triggeredElsewhere = shared('triggered', (event) => this.#trigger(JSON.parse(event) as PublicEvent))
  }

  async listen(
    tenant: string,
    after: string | null,
    wake: () => void,
    listener: Listener = { kind: 'api_key' },
  ): Promise<FeedPlace | Refused> {
    const { listenersMax, beginMs } = this.#settings
    const full = await this.#fullBound(this.#boundsOf(tenant, listener))
    if (full !== null)
      return refuse('rate_limited', `${full.whose} ${full.most} streams open already; close one first.`)
    if (this.#listeners >= listenersMax && !this.#displaceFor(this.#channels.get(tenant)?.listeners ?? 0))
      return refuse('overloaded', 'Too many streams are open at the service; try again.')
    const channel = this.#channelOf(tenant)
    this.#listeners += 1
    channel.enter(listener)
    try {
      await within(beginMs, this.#follow(), () => new Error('the stream took too long to begin'))
    } catch (error) {
      this.#leave(tenant, channel, listener)
      throw new AskFailed('unavailable', 'the stream of events is away', RETRY_MS, { cause: error })
    }
    return channel.place(after, wake, () => this.#leave(tenant, channel, listener))
  }

  async trigger(event: PublicEvent): Promise<number> {
    const elsewhere = this.#triggeredElsewhere(JSON.stringify(event))
    return this.#trigger(event) + (await elsewhere)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const tenant of this.#channels.keys()) this.#drop(tenant)
    await this.#unfollow()
  }

  #trigger(event: PublicEvent): number {
    return this.#channels.get(event.tenant)?.trigger(event) ?? 0
  }

  #boundsOf(tenant: string, listener: Listener): readonly Bound[] {
    const { listenersOfTenantMax, listenersOfPersonMax } = this.#settings
    const most = listenersOfTenantMax[listener.kind]
    // Those of API keys go by the organisation alone, as they did when there were no others.
    if (listener.kind === 'api_key') return [{ name: tenant, most, whose: 'There are' }]
    return [
      { name: `${PERSON}${tenant} ${listener.person}`, most: listenersOfPersonMax, whose: 'You have' },
      { name: `${PEOPLE}${tenant}`, most, whose: 'There are' },
    ]
  }

  async #fullBound(bounds: readonly Bound[]): Promise<Bound | null> {
    const elsewhere = await Promise.all(
      bounds.map(async ({ name, most }) =>
        this.#listenersNamed(name) >= most ? 0 : this.#listenersElsewhere(name),
      ),
    )
    // Those who came during the question are counted too.
    const full = bounds.find(
      ({ name, most }, index) => this.#listenersNamed(name) + (elsewhere[index] ?? 0) >= most,
    )
    return full ?? null
  }

  /** How many listeners are counted here under the name of a bound. */
  #listenersNamed(name: string): number {
    if (name.startsWith(PEOPLE))
      return this.#channels.get(name.slice(PEOPLE.length))?.listenersBy('session') ?? 0
    if (!name.startsWith(PERSON)) return this.#channels.get(name)?.listenersBy('api_key') ?? 0
    const [tenant = '', person = ''] = name.slice(PERSON.length).split(' ')
    return this.#channels.get(tenant)?.listenersOfPerson(person) ?? 0
  }

  #follow(): Promise<AsyncDisposable> {
    if (this.#followed !== null) return this.#followed
    const followed = this.#stream.listen(
      (records) => this.#take(records),
      () => this.#lose(),
    )
    this.#followed = followed
    followed.catch(() => {
      if (this.#followed === followed) this.#followed = null
    })
    return followed
  }

  #take(records: readonly StreamRecord[]): void {
    for (const { event } of records) {
      this.#channels.get(event.tenant)?.add(event)
      while (this.#bytes > this.#settings.bytesKeptOfAllMax) this.#forgetSome()
    }
  }

  /** Drops the oldest channel without listeners, or else the oldest event of the channel that holds most. */
  #forgetSome(): void {
    let largest: FeedChannel | null = null
    for (const [tenant, channel] of this.#channels) {
      if (channel.listeners === 0) return this.#drop(tenant)
      if (largest === null || channel.bytes > largest.bytes) largest = channel
    }
    largest?.forgetOldest()
  }

  #lose(): void {
    for (const channel of this.#channels.values()) channel.lose()
  }

  /**
   * An organisation with fewer listeners gets a place of the one with most, so that none fills the service for others.
   */
  #displaceFor(already: number): boolean {
    let fullest: FeedChannel | null = null
    for (const channel of this.#channels.values())
      if (channel.listeners > (fullest?.listeners ?? already + 1)) fullest = channel
    return fullest?.displaceOldest() ?? false
  }

  #channelOf(tenant: string): FeedChannel {
    const known = this.#channels.get(tenant)
    if (known !== undefined) return known
    const channel = new FeedChannel(this.#settings, (bytes) => {
      this.#bytes += bytes
    })
    this.#channels.set(tenant, channel)
    return channel
  }

  #leave(tenant: string, channel: FeedChannel, listener: Listener): void {
    this.#listeners -= 1
    channel.leave(listener, () => this.#drop(tenant))
    const idle = [...this.#channels].filter(([, { listeners }]) => listeners === 0)
    // At most as many channels linger as there may be listeners; the oldest is dropped first.
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
      // The stream never began, or could not be left; either way it is no longer followed.
    }
  }
}
