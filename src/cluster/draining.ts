import type { Membership } from '../ports/membership.ts'
import type { KeptShardMap } from '../ports/shard-map.ts'

/**
 * Whether a node is to be empty, or stops, while others take its shards. Where no other lives that takes any, it serves
 * what there is, and is as ready as it can be.
 */
export const isDraining = (
  node: string,
  { members }: Pick<KeptShardMap, 'members'>,
  membership: Pick<Membership, 'alive'>,
): boolean => {
  const own = members.find((member) => member.node === node)?.state ?? 'taking'
  if (own === 'taking') return false
  const alive = new Set(membership.alive().map((lease) => lease.node))
  return members.some(({ node: other, state }) => other !== node && state === 'taking' && alive.has(other))
}
