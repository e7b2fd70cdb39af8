import { createHash } from 'node:crypto'
import { shardOf, type Ref } from '../../domain/references.ts'
import { addressed, type Actors } from '../../ports/actors.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import type { StreamHandler } from '../../ports/stream.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { type DeliveryTypes, webhookDelivery } from './rules.ts'

export const WEBHOOK_GROUP = 'webhooks'

export type IntakeOptions = {
  readonly actors: Pick<Actors, 'askAtomically'>
  readonly now: () => number
  /** Events of one batch that are taken in side by side. */
  readonly atOnceMax: number
}

/**
 * Turns public events into deliveries: the endpoint says whether it wants the event, and the delivery is created in the same batch of the journal. An event that comes again
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
export const deliveryOf = (endpoint: string, eventId: string): Ref<DeliveryTypes> => {
  const shard = shardOf(endpoint)
  if (shard === null) throw new RangeError('no endpoint can have this id')
  const digest = createHash('sha256').update(`${endpoint} ${eventId}`).digest('hex')
  return webhookDelivery.newRef(shard, digest.slice(0, 32))
}

const take = async ({ actors, now }: IntakeOptions, event: PublicEvent): Promise<void> => {
  const { id, type, createdAtMs, recordType, recordId, data, sealed, tenant } = event
  const endpoint = endpointOf(tenant)
  const wanted = addressed(endpoint, { type: 'RequireEventWanted', eventType: type })
  const create = addressed(deliveryOf(endpoint, id), {
    type: 'CreateDelivery',
    atMs: now(),
    tenant,
    endpoint,
    event: { id, type, createdAtMs, recordType, recordId, data, sealed },
  })
  await actors.askAtomically([wanted, create], { commandId: id, tenant })
}
