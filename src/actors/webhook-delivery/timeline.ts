import { isRefused } from '../../domain/decider.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { deliveryOf } from './intake.ts'
import type { Delivery, DeliveryAttempt } from './rules.ts'

export type DeliveryStep = { readonly atMs: number; readonly name: string; readonly detail: string }

/** What became of some events on their way to the endpoint: without the answers of receivers, which may be personal. */
export const deliverySteps = async (
  { actors }: Pick<ApiPorts, 'actors'>,
  tenant: string,
  eventIds: readonly string[],
): Promise<readonly DeliveryStep[]> => {
  const endpoint = endpointOf(tenant)
  const deliveries = await Promise.all(
    eventIds.map(async (eventId) => actors.read(deliveryOf(endpoint, eventId), { tenant })),
  )
  // Of an event that the endpoint did not want there is none.
  return deliveries.flatMap((delivery) => (isRefused(delivery) ? [] : stepsOf(delivery)))
}

const stepsOf = ({ event, status, attempts, attemptLog, createdAtMs }: Delivery): readonly DeliveryStep[] => {
  if (status === 'forgotten') return []
  const firstNumber = attempts - attemptLog.length + 1
  return [
    { atMs: createdAtMs, name: 'recorded', detail: event.id },
    ...attemptLog.map((attempt, index) => attemptStep(event.id, firstNumber + index, attempt)),
  ]
}

const attemptStep = (
  eventId: string,
  number: number,
  { atMs, status, error, durationMs }: DeliveryAttempt,
): DeliveryStep => ({
  atMs,
  name: error === null ? 'delivered' : 'failed',
  // The id comes last: it is long, and what stands behind it begins a line with its comma where lines are short.
  detail: `attempt ${number}: ${error ?? `the receiver answered ${status}`} (${durationMs} ms), ${eventId}`,
})
