import type { NodeLease } from '../ports/lease.ts'
import { type Ownership, soleOwner } from '../ports/ownership.ts'
import type { Membership } from './shards.ts'

export type Embedded = Ownership & Membership

/** A process that has its engine to itself: the only node there is, for as long as it runs. */
export const embeddedMembership = (
  { node, address }: { readonly node: string; readonly address: string },
  incarnation: string,
): Embedded => {
  const lease: NodeLease = { node, incarnation, counter: 0, address, state: 'alive' }
  return { ...soleOwner(`${node}~${incarnation}`), alive: () => [lease] }
}
