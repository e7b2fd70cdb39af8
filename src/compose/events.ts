import type { EventFeed } from '../ports/event-feed.ts'
import type { KindPorts } from '../actors/kind-ports.ts'
import type { Journal } from '../ports/journal.ts'
import type { Actors } from '../ports/actors.ts'
import type { Publish } from '../ports/publication.ts'
import type { Runtime } from '../ports/runtime.ts'
import { endpointLimitDefaults } from '../actors/webhook-delivery/endpoint-limiter.ts'
import type { Config } from '../config/config.ts'
import { limits } from '../domain/limits.ts'
import { Outbound } from '../egress/outbound.ts'
import { Lifecycle } from '../lifecycle.ts'
import { type FeedSettings, LiveFeed } from '../stream/event-feed.ts'
import { openStream } from '../stream/open-stream.ts'
import { Publisher } from '../stream/publisher.ts'
import { WEBHOOK_GROUP, webhookIntake } from '../actors/webhook-delivery/intake.ts'
import { SignedSender } from '../webhooks/sender.ts'

/** Endpoints on one host name are of different organisations: a limiter for each bounds its number of sockets. */
const SOCKETS_PER_HOST_MAX = 4_096

/** The way out of webhooks. */
export const composeWebhooks = (
  { egress }: Pick<Config, 'egress'>,
  runtime: Pick<Runtime, 'now'>,
): Pick<KindPorts, 'webhookSender' | 'endpointLimits'> & Disposable => {
  const { allowPrivateTargets, webhookConcurrency: atOnceMax } = egress
  const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  const atOnceFailingMax = Math.min(atOnceMax, endpointLimitDefaults.atOnceFailingMax)
  return {
    webhookSender: new SignedSender(outbound, () => runtime.now()),
    endpointLimits: { ...endpointLimitDefaults, atOnceMax, atOnceFailingMax },
    [Symbol.dispose]: () => outbound[Symbol.dispose](),
  }
}

export type EventParts = {
  readonly config: Config
  readonly actors: Actors
  readonly journal: Journal
  readonly runtime: Runtime
  readonly publish: Publish
  /** Whether the shard is served by this node now. */
  readonly isOpen: (shard: number) => boolean
  /** Trouble that is tried again by itself, and (`record`) texts in the stream that are no events. */
  readonly report: (trouble: {
    readonly during: 'publish' | 'consume' | 'record'
    readonly shard: number | null
    readonly error: unknown
  }) => void
}

export type Events = AsyncDisposable & {
  readonly feed: EventFeed
  readonly probe: () => Promise<void>
}

/**
 * On one node: 200 streams, and for all organisations that have one 32 MB at most, 1 MB for each. Beside that every
 * stream has one event on its way, so 50 MB when no client reads.
 */
export const feedSettings: FeedSettings = {
  listenersOfTenantMax: limits.eventStreamsOfTenantMax,
  listenersMax: 200,
  eventsKeptMax: limits.eventStreamBacklogMax,
  bytesKeptMax: 1_048_576,
  bytesKeptOfAllMax: 33_554_432,
  eventBytesMax: limits.eventStreamEventBytesMax,
  beginMs: 15_000,
  lingerMs: limits.eventStreamResumeSeconds * 1_000,
}

/** From the journals of the shards that are open here to the deliveries, until it is disposed. */
export const openEvents = async (parts: EventParts): Promise<Events> => {
  const { config, actors, journal, runtime, publish, isOpen, report } = parts
  const lifecycle = new Lifecycle()
  const end = () => lifecycle.end((_, error) => report({ during: 'consume', shard: null, error }))
  try {
    const stream = await openStream(config.stream, (trouble) => report({ ...trouble, shard: null }))
    lifecycle.add('stream', () => stream[Symbol.asyncDispose]())
    const feed = new LiveFeed(stream, feedSettings)
    lifecycle.add('feed', () => feed[Symbol.asyncDispose]())
    const intake = webhookIntake({
      actors,
      now: () => runtime.now(),
      atOnceMax: config.egress.webhookConcurrency,
    })
    const member = await stream.subscribe(WEBHOOK_GROUP, intake)
    lifecycle.add('intake', () => member[Symbol.asyncDispose]())
    const publisher = new Publisher(
      {
        journal,
        stream,
        publish,
        runtime,
        report: (trouble) => report({ ...trouble, during: 'publish' }),
      },
      isOpen,
    )
    lifecycle.add('publisher', () => publisher[Symbol.asyncDispose]())
    return { feed, probe: () => stream.probe(), [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw error
  }
}
