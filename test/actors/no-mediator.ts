import type { InboundPorts } from '../../src/actors/kind-ports.ts'

/** For worlds in which no wallet is behind a mediator. */
export const noMediator: InboundPorts['mediator'] = {
  receive: async () => 'refused',
  keepsFor: () => false,
}
