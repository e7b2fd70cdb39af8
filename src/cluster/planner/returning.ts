import type { KeptShardMap, MapMember } from '../../ports/shard-map.ts'

export const returningDefaults = {
  /** A node that has died so often is given its share as soon as it asks for it. */
  deathsForgiven: 2,
  /** After one death more its lease has to last for so long first, and twice as long after each further one. */
  provingMs: 15_000,
  provingMsMax: 120_000,
  /** A lease that has lasted for so long makes good for all deaths before it. */
  forgottenAfterMs: 600_000,
}

export type ReturningSettings = Readonly<typeof returningDefaults>

/** Nodes whose deaths are remembered: those that died last are. */
const REMEMBERED_MAX = 64

export type Leases = {
  readonly settings: ReturningSettings
  /** For how long the lease of a node has been unbroken. */
  readonly ageMs: (node: string) => number
}

/** For how long the lease of a node that died so often is to be unbroken before it is given anything. */
const provingMs = (
  deaths: number,
  { deathsForgiven, provingMs: firstMs, provingMsMax }: ReturningSettings,
): number =>
  deaths <= deathsForgiven ? 0 : Math.min(provingMsMax, firstMs * 2 ** (deaths - deathsForgiven - 1))

const deathsOf = ({ deaths }: Pick<KeptShardMap, 'deaths'>, node: string): number =>
  deaths.find((each) => each.node === node)?.count ?? 0

export const withDeath = (map: KeptShardMap, node: string): KeptShardMap => {
  const others = map.deaths.filter((each) => each.node !== node)
  return { ...map, deaths: [...others, { node, count: deathsOf(map, node) + 1 }].slice(-REMEMBERED_MAX) }
}

/** Lets in who may be given shards; who has died too often gets them when its lease has lasted. */
export const withLetIn = (map: KeptShardMap, { settings, ageMs }: Leases): KeptShardMap => {
  const hasToProve = (seen: KeptShardMap, node: string): boolean =>
    ageMs(node) < provingMs(deathsOf(seen, node), settings)
  let seen = map
  for (const { node, hasDied } of map.members) {
    if (hasDied !== true) continue
    seen = withUnseenDeath(seen, node)
    // Nearly as if somebody had found it dead.
    if (hasToProve(seen, node)) seen = withNothingDesiredOf(seen, node)
  }
  const members = seen.members.map((member) => {
    if (member.isNew !== true || hasToProve(seen, member.node)) return member
    const { isNew: _, ...known } = member
    return known
  })
  const deaths = seen.deaths.filter(({ node }) => ageMs(node) < settings.forgottenAfterMs)
  return { ...seen, members, deaths }
}

const withUnseenDeath = (map: KeptShardMap, node: string): KeptShardMap => {
  const members = map.members.map((member): MapMember => {
    const { hasDied: _, ...known } = member
    return member.node === node ? known : member
  })
  return withDeath({ ...map, members }, node)
}

/** The node lives, so what is pinned stays with it, and everything does while the map is frozen. */
const withNothingDesiredOf = (map: KeptShardMap, node: string): KeptShardMap => ({
  ...map,
  places: map.places.map((place) =>
    place.desired === node && !place.pinned && !map.frozen ? { ...place, desired: null } : place,
  ),
})
