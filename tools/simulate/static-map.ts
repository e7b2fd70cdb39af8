import type { Membership } from '../../src/ports/membership.ts'

/** A map that needs no store: the shard's number modulo the number of living nodes, sorted by name. */
export const staticMap =
  (node: string, membership: Pick<Membership, 'alive'>) =>
  (shard: number): boolean => {
    const nodes = membership.alive()
    return nodes[shard % nodes.length]?.node === node
  }
