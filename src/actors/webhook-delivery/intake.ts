import { createHash } from 'node:crypto'
import { shardOf, shardOfActor, type Ref } from '../../domain/references.ts'
import { isRefused } from '../../domain/decider.ts'
import { ActorFailed, addressed, type Actors, isRetryable } from '../../ports/actors.ts'
import type { Parking } from '../../ports/parking.ts'
import type { PublicEvent } from '../../ports/publication.ts'
import type { StreamHandler, StreamRecord, UnreadableRecord } from '../../ports/stream.ts'
import { endpointOf, wants } from '../webhook-endpoint/rules.ts'
import { type DeliveryTypes, webhookDelivery } from './rules.ts'

export const WEBHOOK_GROUP = 'webhooks'

type TakePorts = {
  readonly actors: Pick<Actors, 'askAtomically' | 'read'>
  readonly now: () => number
  /** Whether the shard is served here, where a look at an endpoint costs nothing; left out: none is. */
  readonly isHere?: (shard: number) => boolean
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
 * at once, everybody's events beside it would have to come again. In the burst short pages go first, so that what
 * comes behind a few of its events on a shard does not wait for all the others. An endpoint that cannot be read holds up no other: its
 * event is parked, and later ones wait behind it.
 */
export const webhookIntake = (options: IntakeOptions): StreamHandler => {
  const lines = new EndpointLines(options.atOnceMax)
  return async (records) => {
    const taken = records.map((record) =>
      lines.inTurn(record.event.tenant, records, () => takeOrPark(options, record)),
    )
    const outcomes = await Promise.allSettled(taken)
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
}

type Page = readonly StreamRecord[]

/** One line for each organisation that has events under way. */
class EndpointLines {
  readonly #atOnceMax: number
  readonly #lines = new Map<string, EndpointLine>()

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  async inTurn(tenant: string, page: Page, work: () => Promise<void>): Promise<void> {
    const line = this.#lines.get(tenant) ?? new EndpointLine(this.#atOnceMax)
    this.#lines.set(tenant, line)
    await line.enter(page)
    try {
      await work()
    } finally {
      line.leave()
      if (line.isEmpty) this.#lines.delete(tenant)
    }
  }
}

class EndpointLine {
  readonly #atOnceMax: number
  /** Pages with events that wait, the oldest first. */
  readonly #waiting = new Map<Page, (() => void)[]>()
  #running = 0
  #isTurnOfOldest = false

  constructor(atOnceMax: number) {
    this.#atOnceMax = atOnceMax
  }

  get isEmpty(): boolean {
    return this.#running === 0
  }

  async enter(page: Page): Promise<void> {
    if (this.#running < this.#atOnceMax) {
      this.#running++
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    const events = this.#waiting.get(page) ?? []
    events.push(resolve)
    this.#waiting.set(page, events)
    await promise
  }

  /** The place goes to an event that waits. */
  leave(): void {
    const page = this.#nextPage()
    if (page === null) {
      this.#running--
      return
    }
    const events = this.#waiting.get(page)
    events?.shift()?.()
    if (events?.length === 0) this.#waiting.delete(page)
  }

  /** The one that has fewest left, which ends soonest; every other time the oldest, so that none waits for ever. */
  #nextPage(): Page | null {
    this.#isTurnOfOldest = !this.#isTurnOfOldest
    let next: Page | null = null
    let fewest = Number.POSITIVE_INFINITY
    for (const [page, { length }] of this.#waiting) {
      if (length < fewest) [next, fewest] = [page, length]
      if (this.#isTurnOfOldest) break
    }
    return next
  }
}

/** On the endpoint's shard, so that the two can stand in one batch. */
export const deliveryOf = (endpoint: string, eventId: string): Ref<DeliveryTypes> => {
  const shard = shardOf(endpoint)
  if (shard === null) throw new RangeError('no endpoint can have this id')
  const digest = createHash('sha256').update(`${endpoint} ${eventId}`).digest('hex')
  return webhookDelivery.newRef(shard, digest.slice(0, 32))
}

const takeOrPark = async (options: IntakeOptions, { event, isFirst }: StreamRecord): Promise<void> => {
  const endpoint = endpointOf(event.tenant)
  const shard = shardOfActor(endpoint)
  const { parking } = options
  if (await parking.hold(shard, endpoint, event)) return
  try {
    await takeEvent(options, event, isFirst)
  } catch (error) {
    if (isRetryable(error)) throw error
    const recordId = error instanceof ActorFailed ? error.actor : endpoint
    await parking.park(shard, { part: 'webhooks', recordId, held: event, error })
  }
}

/**
 * What the stream brings and nobody can read waits for an operator like what waits for an endpoint: tried again, it is
 * read from the journal of its actor.
 */
export const parkUnreadable =
  ({ parking }: Pick<IntakeOptions, 'parking'>) =>
  ({ event, error }: UnreadableRecord): Promise<void> => {
    const shard = shardOfActor(endpointOf(event.tenant))
    return parking.park(shard, { part: 'webhooks', recordId: event.actor, held: event, error })
  }

/**
 * The endpoint says whether it wants the event, and the delivery is created in the same batch of the journal. An event
 * that comes again finds its delivery, because the id follows from event and endpoint.
 */
export const takeEvent = async (ports: TakePorts, event: PublicEvent, isFirst = false): Promise<void> => {
  if (await isPlainlyUnwanted(ports, event)) return
  const { actors, now } = ports
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
  // A commit for each delivery alone would cost more than the rest of the delivery, and receivers bear ten milliseconds.
  const options = { commandId: id, tenant, mayLinger: true, ...(isFirst && { begins: create.to }) }
  await actors.askAtomically([wanted, create], options)
}

/** The delivery is looked for in the journal before the endpoint is asked together with it: most of an unwanted event's cost. */
const isPlainlyUnwanted = async (
  { actors, isHere }: TakePorts,
  { tenant, type }: PublicEvent,
): Promise<boolean> => {
  const endpoint = endpointOf(tenant)
  if (isHere?.(shardOfActor(endpoint)) !== true) return false
  const found = await actors.read(endpoint, { tenant })
  return isRefused(found) || !wants(found, type)
}
