import type { Rev } from '../../ports/list-replicas.ts'
import type { Held } from './held.ts'
import { askNode, type IntakeParts, takeAllFrom } from './intake.ts'
import { unpacked } from './messages.ts'

/** Up to where a node has each shard of a question; null where it has nothing to say. */
export type Places = readonly (Rev | null)[]

/**
 * Takes over what other nodes have of these shards beyond this node's file, each from whoever has most. False where one
 * of the nodes did not answer: it may have more.
 */
export const catchUp = async (
  parts: IntakeParts,
  shards: readonly number[],
  nodes: readonly string[],
): Promise<boolean> => {
  const { ports, settings, held } = parts
  const isTaken = async (node: string, wanted: readonly number[], places: Places): Promise<boolean> => {
    await takeAllFrom(parts, node, wanted)
    return wanted.every((shard) => held.at(shard) >= (places[shards.indexOf(shard)] ?? 0))
  }
  for (;;) {
    const places = new Map<string, Places>()
    const heard = await Promise.all(
      nodes.map((node) =>
        didIt(parts, node, async () => {
          const answer = await askNode(parts, node, 'lists.places', { shards }, settings.peerMs)
          places.set(node, unpacked(answer) as Places)
          return true
        }),
      ),
    )
    const ahead = [...whoHasMost(shards, places, held)]
    if (ahead.length === 0) return !heard.includes(false)
    const taken = await Promise.all(
      ahead.map(([node, wanted]) => didIt(parts, node, () => isTaken(node, wanted, places.get(node) ?? []))),
    )
    if (taken.includes(false) || !ports.mayServe()) return false
  }
}

const didIt = ({ ports }: IntakeParts, node: string, work: () => Promise<boolean>): Promise<boolean> =>
  work().catch((error: unknown) => {
    ports.failed(node, error)
    return false
  })

/** Each shard of which some node has more than this one, by the node that has most. */
const whoHasMost = (
  shards: readonly number[],
  places: ReadonlyMap<string, Places>,
  held: Held,
): ReadonlyMap<string, readonly number[]> => {
  const wanted = new Map<string, number[]>()
  for (const [at, shard] of shards.entries()) {
    let [most, best]: [Rev, string | null] = [held.at(shard), null]
    for (const [node, of] of places) {
      const rev = of[at] ?? 0
      if (rev > most) [most, best] = [rev, node]
    }
    if (best !== null) wanted.set(best, [...(wanted.get(best) ?? []), shard])
  }
  return wanted
}
