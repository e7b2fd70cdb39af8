import { isRefused, type Refused } from '../../domain/decider.ts'
import type { PublishedEvent } from '../../http/openapi/webhooks.ts'
import { isoTime, words } from '../../http/route/fields.ts'
import { addressed } from '../../ports/actors.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { eventData, placeInRecord } from '../state-changed.ts'
import { tags } from '../tags.ts'
import { endpointOf, WEBHOOK_TEST } from '../webhook-endpoint/rules.ts'
import { deliveryOf } from './intake.ts'
import type { Delivery } from './rules.ts'

const MESSAGE = 'This event tries your endpoint. Nothing has happened to any record.'

export const webhookTestEvent: PublishedEvent = {
  type: WEBHOOK_TEST,
  summary: 'The endpoint is tried, on request',
  tag: tags.webhooks,
  data: eventData({ message: words('Says that it is a test.', MESSAGE), ...placeInRecord }),
}

/** Its delivery, by the id of the event. */
export const trialOf = (tenant: string, eventId: string) => deliveryOf(endpointOf(tenant), eventId)

/** Sends the endpoint an event that tells of nothing, whatever its filter says; refused where there is none. */
export const tryEndpoint = async (
  { actors, runtime }: Pick<ApiPorts, 'actors' | 'runtime'>,
  tenant: string,
  eventId: string,
): Promise<Delivery | Refused> => {
  const atMs = Math.floor(runtime.now())
  const endpoint = endpointOf(tenant)
  const wanted = addressed(endpoint, { type: 'RequireEventWanted', eventType: WEBHOOK_TEST })
  const create = addressed(trialOf(tenant, eventId), {
    type: 'CreateDelivery',
    atMs,
    tenant,
    endpoint,
    event: {
      id: eventId,
      type: WEBHOOK_TEST,
      createdAtMs: atMs,
      recordType: 'webhook',
      recordId: endpoint,
      data: { message: MESSAGE, updatedAt: isoTime(atMs), sequence: 1 },
      sealed: null,
    },
  })
  const made = await actors.askAtomically([wanted, create], { commandId: eventId, tenant })
  return isRefused(made) ? made : made[1]
}
