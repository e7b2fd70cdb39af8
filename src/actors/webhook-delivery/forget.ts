import { isRefused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import type { KindPorts } from '../kind-ports.ts'
import { eventIdOf } from '../state-changed.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { deliveryOf } from './intake.ts'
import type { DeliveryTypes } from './rules.ts'

/**
 * The deliveries of a record lose all that they say. They are found by the ids of the record's events, which follow
 * from their count. False while one is still pending: it goes out first.
 */
export const forgetDeliveries = async (
  { actors, runtime }: Pick<KindPorts, 'actors' | 'runtime'>,
  tenant: string,
  recordId: string,
  events: number,
): Promise<boolean> => {
  const endpoint = endpointOf(tenant)
  const forgotten = await Promise.all(
    Array.from({ length: events }, (_, index) =>
      forgetDelivery({ actors, runtime }, deliveryOf(endpoint, eventIdOf(recordId, index + 1))),
    ),
  )
  return forgotten.every((each) => each)
}

/** Of an event that the endpoint did not want there is no delivery, and so nothing to forget. */
export const forgetDelivery = async (
  { actors, runtime }: Pick<KindPorts, 'actors' | 'runtime'>,
  delivery: Ref<DeliveryTypes>,
): Promise<boolean> => {
  const command = { type: 'ForgetDelivery', atMs: Math.floor(runtime.now()) } as const
  const options = { commandId: `forget:${runtime.newId()}`, tenant: null }
  const answer = await actors.ask(delivery, command, options)
  return isRefused(answer) || answer.status === 'forgotten'
}
