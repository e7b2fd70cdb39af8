import { createHash } from 'node:crypto'
import pLimit, { type LimitFunction } from 'p-limit'
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
  /** Events that one endpoint is asked about at once, whatever shards they come from: fewer than may wait for an actor. */
  readonly atOnceMax: number
}

/**
 * Turns public events into deliveries: the endpoint says whether it wants the event, and the delivery is created in the
 * same batch of the journal. An event that comes again finds its delivery, because the id follows from event and
 * endpoint. A burst of one organisation waits here for its own endpoint alone: were the endpoint to refuse for too much
 * at once, everybody's events beside it would have to come again.
 */
export const webhookIntake = (options: IntakeOptions): StreamHandler => {
  const lines = new EndpointLines(options.atOnceMax)
  return async (records) => {
    const taken = records.map(({ event }) => lines.inTurn(event.tenant, () => take(options, event)))
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
