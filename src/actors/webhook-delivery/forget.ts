import { isRefused } from '../../domain/decider.ts'
import type { KindPorts } from '../kind-ports.ts'
import { eventIdOf } from '../state-changed.ts'
import { endpointOf } from '../webhook-endpoint/rules.ts'
import { deliveryOf } from './intake.ts'

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
  const answers = await Promise.all(
    Array.from({ length: events }, (_, index) => {
      const delivery = deliveryOf(endpoint, eventIdOf(recordId, index + 1))
      const command = { type: 'ForgetDelivery', atMs: runtime.now() } as const
      return actors.ask(delivery, command, { commandId: `forget:${runtime.newId()}`, tenant: null })
    }),
  )
  // Of an event that the endpoint did not want there is no delivery.
  return answers.every((answer) => isRefused(answer) || answer.status === 'forgotten')
}
