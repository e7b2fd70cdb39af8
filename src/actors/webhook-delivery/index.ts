import { defineKind } from '../define-kind.ts'
import { attemptDelivery } from './effects.ts'
import { EndpointLimiters } from './endpoint-limiter.ts'
import { DELIVERIES, deliveryRow, isUnlisted, statusOfRow, WAITING_ROWS } from './listed.ts'
import { deliveryRoutes } from './routes.ts'
import { type DeliveryTypes, deliveryDecider, goneAtMs, webhookDelivery } from './rules.ts'
import { deliveryStored } from './stored.ts'

/**
 * Personal fields, and what receivers answered, are there only as ciphertext of the record they belong to, whose erasure
 * reaches them too.
 */
export const webhookDeliveryKind = defineKind<DeliveryTypes>({
  references: webhookDelivery,
  decider: deliveryDecider,
  ...deliveryStored,
  // Until then its two events, written short, are no longer than a snapshot, and folding each costs more than it frees.
  isOver: ({ status }) => status === 'forgotten',
  goneAtMs,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  // A crash before the commit has the event sent once more, which receivers tell by its id.
  isNote: () => true,
  effects: (ports) => {
    const limiters = new EndpointLimiters(ports.endpointLimits, ports.runtime)
    return {
      gate: ({ delivery }) => limiters.of(delivery.endpoint),
      perform: ({ delivery }, context) => attemptDelivery(ports, limiters, delivery, context),
    }
  },
  onTimer: (_timerId, atMs) => ({ type: 'AttemptDelivery', atMs }),
  listed: {
    list: DELIVERIES,
    overview: { recordType: 'webhook_delivery', waiting: WAITING_ROWS, shownAs: statusOfRow },
    row: deliveryRow,
    isUnlisted,
    firstRowWaits: true,
  },
  routes: deliveryRoutes,
})
