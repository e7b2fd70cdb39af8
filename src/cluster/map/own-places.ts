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

/** A node, and which of its processes speaks. */
export type Self = { readonly node: string; readonly life: string }

/** Asks for a share, or gives it up; a node that operators drained stays so, also over its stop and its next start. */
export const sayMember =
  (self: Self, state: 'taking' | 'leaving'): MapChange =>
  (map) => {
    const known = memberOf(map, self.node)
    const next = state === 'leaving' ? leaving(self, known) : taking(self, known)
    if (next === null) return null
    const others = map.members.filter(({ node }) => node !== self.node)
    return { ...map, members: [...others, next].toSorted((one, other) => (one.node < other.node ? -1 : 1)) }
  }

/** Who has no place gives up none, and what another process of this name has is not this one's to give up. */
const leaving = ({ node, life }: Self, known: MapMember | undefined): MapMember | null => {
  if (known === undefined || known.state === 'leaving') return null
  if (known.state === 'drained') return { node, state: 'leaving', staysDrained: true }
  return known.life === undefined || known.life === life ? { node, state: 'leaving' } : null
}

const taking = ({ node, life }: Self, known: MapMember | undefined): MapMember | null => {
  if (known?.state === 'drained') return null
  if (known?.staysDrained === true) return { node, state: 'drained' }
  if (known?.state !== 'taking') return { node, state: 'taking', life, isNew: true }
  if (known.life === life) return null
  // One that operators called back has not said yet which process it is.
  return known.life === undefined ? { ...known, life } : { ...known, life, isNew: true, hasDied: true }
}

export const memberOf = ({ members }: Pick<KeptShardMap, 'members'>, node: string): MapMember | undefined =>
  members.find((member) => member.node === node)
