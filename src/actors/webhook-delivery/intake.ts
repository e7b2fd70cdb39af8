import { createHash } from 'node:crypto'
import { shardOf, shardOfActor, type Ref } from '../../domain/references.ts'
import { ActorFailed } from '../../host/faults.ts'
import { addressed, type Actors, isRetryable } from '../../ports/actors.ts'
import type { Parking } from '../../ports/parking.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import type { StreamHandler } from '../../ports/stream.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { type DeliveryTypes, webhookDelivery } from './rules.ts'

export const WEBHOOK_GROUP = 'webhooks'

type TakePorts = {
  readonly actors: Pick<Actors, 'askAtomically'>
  readonly now: () => number
}

export type IntakeOptions = TakePorts & {
  readonly parking: Pick<Parking, 'hold' | 'park'>
  /** Events of one batch that are taken in side by side. */
  readonly atOnceMax: number
}

/**
 * Turns public events into deliveries. An endpoint that cannot be read holds up no other: its event is parked, and
 * later ones wait behind it.
 */
export const webhookIntake =
  (options: IntakeOptions): StreamHandler =>
  async (records) => {
    for (let start = 0; start < records.length; start += options.atOnceMax) {
      const some = records.slice(start, start + options.atOnceMax)
      await Promise.all(some.map(({ event }) => takeOrPark(options, event)))
    }
  }

/** On the endpoint's shard, so that the two can stand in one batch. */
export const deliveryOf = (endpoint: string, eventId: string): Ref<DeliveryTypes> => {
  const shard = shardOf(endpoint)
  if (shard === null) throw new RangeError('no endpoint can have this id')
  const digest = createHash('sha256').update(`${endpoint} ${eventId}`).digest('hex')
  return webhookDelivery.newRef(shard, digest.slice(0, 32))
}

const takeOrPark = async (options: IntakeOptions, event: PublicEvent): Promise<void> => {
  const endpoint = endpointOf(event.tenant)
  const shard = shardOfActor(endpoint)
  const { parking } = options
  if (await parking.hold(shard, endpoint, event)) return
  try {
    await takeEvent(options, event)
  } catch (error) {
    if (isRetryable(error)) throw error
    const recordId = error instanceof ActorFailed ? error.actor : endpoint
    await parking.park(shard, { part: 'webhooks', recordId, held: event, error })
  }
}

/**
 * The endpoint says whether it wants the event, and the delivery is created in the same batch of the journal. An event
 * that comes again finds its delivery, because the id follows from event and endpoint.
 */
export const takeEvent = async ({ actors, now }: TakePorts, event: PublicEvent): Promise<void> => {
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
