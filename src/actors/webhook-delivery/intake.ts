import { createHash } from 'node:crypto'
import pLimit, { type LimitFunction } from 'p-limit'
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
  /** Events that one endpoint is asked about at once, whatever shards they come from: fewer than may wait for an actor. */
  readonly atOnceMax: number
}

/**
 * Turns public events into deliveries: the endpoint says whether it wants the event, and the delivery is created in the
 * same batch of the journal. An event that comes again finds its delivery, because the id follows from event and
 * endpoint. A burst of one organisation waits here for its own endpoint alone: were the endpoint to refuse for too much
 * at once, everybody's events beside it would have to come again. An endpoint that cannot be read holds up no other: its
 * event is parked, and later ones wait behind it.
 */
export const webhookIntake = (options: IntakeOptions): StreamHandler => {
  const lines = new EndpointLines(options.atOnceMax)
  return async (records) => {
    const taken = records.map(({ event }) => lines.inTurn(event.tenant, () => takeOrPark(options, event)))
    const outcomes = await Promise.allSettled(taken)
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

/** One line for each organisation that has events under way. */
class EndpointLines {
  readonly #atOnceMax: number
  readonly #lines = new Map<string, LimitFunction>()

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  async inTurn(tenant: string, work: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(tenant) ?? pLimit(this.#atOnceMax)
    this.#lines.set(tenant, line)
    try {
      await line(work)
    } finally {
      if (line.activeCount + line.pendingCount === 0) this.#lines.delete(tenant)
    }
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
