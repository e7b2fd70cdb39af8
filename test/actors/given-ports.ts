import type { KindPorts } from '../../src/actors/kind-ports.ts'

/** The ports that a world has; what its kinds owe takes no others. */
export const givenPorts = (given: Partial<KindPorts>): KindPorts => given as KindPorts
