import type { KindPorts } from '../actors/kind-ports.ts'
import { PARKED_PARTS } from '../ports/parking.ts'
import type { PublicEvent, Publish } from '../ports/publication.ts'
import type { Runtime } from '../ports/runtime.ts'
import { endpointLimitDefaults } from '../actors/webhook-delivery/endpoint-limiter.ts'
import type { Config } from '../config/config.ts'
import { limits } from '../domain/limits.ts'
import { sumElsewhere } from '../cluster/counts/sum-elsewhere.ts'
import { type EgressSettings, Outbound } from '../egress/outbound.ts'
import { proxyOf } from '../egress/tunnels.ts'
import { type FeedSettings, LiveFeed } from '../stream/event-feed.ts'
import { openStream } from '../stream/open-stream.ts'
import { Publisher } from '../stream/publisher.ts'
import { parkUnreadable, takeEvent, WEBHOOK_GROUP, webhookIntake } from '../actors/webhook-delivery/intake.ts'
import { SignedSender } from '../webhooks/sender.ts'
import { createParkedMetric } from '../telemetry/metrics.ts'
import type { DurableActors } from './durable-actors.ts'
import { composeParking } from './parking.ts'
import type { ServiceContext } from './service-context.ts'

/** Endpoints on one host name are of different organisations: a limiter for each bounds its number of sockets. */
const SOCKETS_PER_HOST_MAX = 4_096

/** Of the commands that may wait for an endpoint; the rest of its queue is for those who set it and look at it. */
const INTAKE_SHARE = 0.25

/** Whom the service calls, and which way. */
export const waysOutOf = ({
  allowPrivateTargets,
  targetPorts,
  proxy,
}: Config['egress']): Omit<EgressSettings, 'socketsPerHostMax'> => ({
  allowPrivateTargets,
  targetPorts,
  proxy: proxyOf(proxy),
})

/** The way out of webhooks. */
export const composeWebhooks = (
  { egress }: Pick<Config, 'egress'>,
  runtime: Pick<Runtime, 'now'>,
): Pick<KindPorts, 'webhookSender' | 'endpointLimits'> & Disposable => {
  const { webhookConcurrency: atOnceMax } = egress
  const outbound = new Outbound({ ...waysOutOf(egress), socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  const atOnceFailingMax = Math.min(atOnceMax, endpointLimitDefaults.atOnceFailingMax)
  return {
    webhookSender: new SignedSender(outbound, () => runtime.now()),
    endpointLimits: { ...endpointLimitDefaults, atOnceMax, atOnceFailingMax },
    [Symbol.dispose]: () => outbound[Symbol.dispose](),
  }
}

/**
 * On one node: 200 streams, and for all organisations that have one 32 MB at most, 1 MB for each. Beside that every
 * stream has one event on its way, so 50 MB when no client reads.
 */
export const feedSettings: FeedSettings = {
  listenersOfTenantMax: {
    api_key: limits.eventStreamsOfTenantMax,
    session: limits.eventStreamsOfSessionsMax,
  },
  listenersOfPersonMax: limits.eventStreamsOfPersonMax,
  listenersMax: 200,
  eventsKeptMax: limits.eventStreamBacklogMax,
  bytesKeptMax: 1_048_576,
  bytesKeptOfAllMax: 33_554_432,
  eventBytesMax: limits.eventStreamEventBytesMax,
  beginMs: 15_000,
  lingerMs: limits.eventStreamResumeSeconds * 1_000,
}

/**
 * From the journals of the shards that are open here to webhook deliveries and to streams of events. Trouble on the way
 * is logged, and tried again.
 */
export const openEvents = async (
  { config, log, lifecycle, metrics }: Pick<ServiceContext, 'config' | 'log' | 'lifecycle' | 'metrics'>,
  {
    actors,
    journal,
    runtime,
    isOpen,
    onShards,
    epochOf,
    announceParked,
    cluster,
  }: Pick<
    DurableActors,
    'actors' | 'journal' | 'runtime' | 'isOpen' | 'onShards' | 'epochOf' | 'announceParked' | 'cluster'
  >,
  publish: Publish,
) => {
  const stream = lifecycle.use(
    'stream',
    await openStream(config.stream, ({ during, error }) => log('events.behind', { part: during, error })),
  )
  const feed = lifecycle.use(
    'feed',
    cluster === null
      ? new LiveFeed(stream, feedSettings)
      : new LiveFeed(stream, feedSettings, (name, here) => sumElsewhere(cluster, name, here)),
  )
  const atOnceMax = Math.ceil(config.actors.actorQueueMax * INTAKE_SHARE)
  const parking = composeParking({ actors, runtime, announceParked }, log)
  const taking = { actors, now: () => runtime.now(), isHere: isOpen }
  const intake = webhookIntake({ ...taking, parking, atOnceMax })
  lifecycle.use('intake', await stream.subscribe(WEBHOOK_GROUP, intake, parkUnreadable({ parking })))
  const report = (trouble: { readonly shard: number; readonly error: unknown }) =>
    log('events.behind', { part: 'publish', ...trouble })
  const takeAgain = (event: PublicEvent) => takeEvent(taking, event)
  const parts = { journal, stream, publish, runtime, parking, takeAgain, epochOf, report }
  const publisher = lifecycle.use('publisher', new Publisher(parts, { isOpen, onShards }))
  createParkedMetric(metrics, PARKED_PARTS, (part) => publisher.parked(part))
  return { feed, probe: () => stream.probe() }
}
