import { createHash } from 'node:crypto'
import type { Actors } from '../../ports/actors.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import type { StreamHandler } from '../../ports/stream.ts'
import { actorId, shardOf } from '../../domain/shards.ts'
import type { DeliveryCommand } from './state.ts'
import type { EndpointCommand } from '../webhook-endpoint/rules.ts'

export const WEBHOOK_GROUP = 'webhooks'

export type IntakeOptions = {
  readonly actors: Pick<Actors, 'askTogether'>
  readonly now: () => number
  readonly endpointOf: (tenant: string) => string
  readonly askTimeoutMs: number
  /** Events of one batch that are taken in side by side. */
  readonly atOnceMax: number
}

/**
 * Turns the public events of CredentialOffered, ProofRequested and all the others into deliveries: the endpoint says
 * whether it wants the event, and the delivery is created in the same batch of the journal. An event that comes again
 * finds its delivery, because the id follows from event and endpoint.
 */
export const webhookIntake =
  (options: IntakeOptions): StreamHandler =>
  async (records) => {
    for (let start = 0; start < records.length; start += options.atOnceMax) {
      const some = records.slice(start, start + options.atOnceMax)
      await Promise.all(some.map(({ event }) => take(options, event)))
    }
  }

/** On the endpoint's shard, so that the two can stand in one batch. */
export const deliveryId = (endpoint: string, eventId: string): string => {
  const shard = shardOf(endpoint)
  if (shard === null) throw new RangeError('no endpoint can have this id')
  const digest = createHash('sha256').update(`${endpoint} ${eventId}`).digest('hex')
  return actorId('whd', shard, digest.slice(0, 32))
}

const take = async (options: IntakeOptions, event: PublicEvent): Promise<void> => {
  const endpoint = options.endpointOf(event.tenant)
  const { id, type, createdAtMs, recordType, recordId, data, sealed, tenant } = event
  const match: EndpointCommand = { type: 'MatchEvent', eventType: type }
  const create: DeliveryCommand = {
    type: 'CreateDelivery',
    atMs: options.now(),
    tenant,
    endpoint,
    event: { id, type, createdAtMs, recordType, recordId, data, sealed },
  }
  const delivery = deliveryId(endpoint, id)
  await options.actors.askTogether(
    [
      { actor: endpoint, command: match },
      { actor: delivery, command: create },
    ],
    (reply) => (reply as { readonly matched?: boolean }).matched === false,
    { commandId: id, timeoutMs: options.askTimeoutMs, tenant },
  )
}
