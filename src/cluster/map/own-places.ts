import type { KeptPlace, KeptShardMap, MapChange, MapMember } from '../../ports/shard-map.ts'

/** What this node knows of a shard and nobody else does. `letGo`: the epoch in which it last served it, which is over. */
export type Held =
  | { readonly is: 'served'; readonly epoch: number }
  | { readonly is: 'changing' }
  | { readonly is: 'not-served'; readonly letGo: number | null }

/** Says in the map what this node serves and what it has let go. */
export const sayHeld =
  (node: string, heldOf: (shard: number) => Held): MapChange =>
  (map) => {
    let changed = 0
    const places = map.places.map((place, shard) => {
      const next = withHeld(place, node, heldOf(shard))
      if (next !== place) changed++
      return next
    })
    return changed === 0 ? null : { ...map, places }
  }

const withHeld = (place: KeptPlace, node: string, held: Held): KeptPlace => {
  if (held.is === 'served') {
    // Whoever opened it later has fenced us; we have not noticed yet.
    if (held.epoch < (place.epoch ?? 0)) return place
    if (place.owner === node && place.epoch === held.epoch) return place
    return { ...place, owner: node, epoch: held.epoch }
  }
  // One that is to be served here is opened again soon, and is asked for here meanwhile.
  if (held.is === 'changing' || place.owner !== node || place.desired === node) return place
  return { ...place, owner: null, epoch: place.epoch === held.letGo ? held.letGo : null }
}

/** Asks for a share, or gives it up; a node that operators drained stays so. */
export const sayMember =
  (node: string, state: 'taking' | 'leaving'): MapChange =>
  (map) => {
    const known = memberOf(map, node)
    if (known?.state === 'drained' || known?.state === state) return null
    const others = map.members.filter((member) => member.node !== node)
    return { ...map, members: sorted([...others, { node, state }]) }
  }

export const memberOf = ({ members }: Pick<KeptShardMap, 'members'>, node: string): MapMember | undefined =>
  members.find((member) => member.node === node)

const sorted = (members: readonly MapMember[]): readonly MapMember[] =>
  members.toSorted((one, other) => (one.node < other.node ? -1 : 1))
