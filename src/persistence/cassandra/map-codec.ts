import { Type, type Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { KeptPlace, KeptShardMap } from '../../ports/shard-map.ts'

/** Names stand once; a place is owner, desired owner (their places in the list, -1: none), pinned, epoch (-1: none). */
const stored = Type.Object({
  nodes: Type.Array(Type.String()),
  frozen: Type.Boolean(),
  places: Type.Array(Type.Tuple([Type.Integer(), Type.Integer(), Type.Boolean(), Type.Integer()])),
  members: Type.Array(
    Type.Object({
      node: Type.String(),
      state: Type.Union([Type.Literal('taking'), Type.Literal('leaving'), Type.Literal('drained')]),
      life: Type.Optional(Type.String()),
      isNew: Type.Optional(Type.Literal(true)),
      hasDied: Type.Optional(Type.Literal(true)),
      staysDrained: Type.Optional(Type.Literal(true)),
    }),
  ),
  planned: Type.Array(Type.Object({ shard: Type.Integer(), to: Type.String() })),
  /** Missing in maps of earlier releases. */
  deaths: Type.Optional(Type.Array(Type.Object({ node: Type.String(), count: Type.Integer() }))),
})

type StoredPlace = Static<typeof stored>['places'][number]

const check = Compile(stored)

export const encodeMap = ({ frozen, places, members, planned, deaths }: KeptShardMap): string => {
  const nodes: string[] = []
  const indexOf = (node: string | null): number => {
    if (node === null) return -1
    const known = nodes.indexOf(node)
    return known >= 0 ? known : nodes.push(node) - 1
  }
  const short = places.map(
    ({ owner, desired, pinned, epoch }): StoredPlace => [
      indexOf(owner),
      indexOf(desired),
      pinned,
      epoch ?? -1,
    ],
  )
  return JSON.stringify({ nodes, frozen, places: short, members, planned, deaths })
}

export const decodeMap = (version: number, text: string): KeptShardMap => {
  const read: unknown = JSON.parse(text)
  if (!check.Check(read)) throw new Error(`version ${version} of the map of shards is not one`)
  const { nodes, frozen, places, members, planned, deaths = [] } = read
  const nameOf = (index: number): string | null => nodes[index] ?? null
  const placeOf = ([owner, desired, pinned, epoch]: StoredPlace): KeptPlace => ({
    owner: nameOf(owner),
    desired: nameOf(desired),
    pinned,
    epoch: epoch < 0 ? null : epoch,
  })
  return { version, frozen, places: places.map(placeOf), members, planned, deaths }
}
