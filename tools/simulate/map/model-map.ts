import type {
  KeptPlace,
  KeptShardMap,
  NodeLoads,
  ShardLoadStore,
  ShardMapStore,
} from '../../../src/ports/shard-map.ts'
import type { Network } from '../network.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { ModelLeases } from '../store-clients.ts'
import { Violation, type World } from '../world.ts'

/** The row of the map as an engine keeps it, and the rules that every change of it must keep. */
export class ModelMap {
  row: KeptShardMap | null = null
  /** Moves away from a node that lives and stays. */
  voluntaryMoves = 0
  readonly told = new Map<string, NodeLoads>()
  readonly #world: World
  readonly #leases: ModelLeases
  /** In which life of its node a shard was last given to it. */
  readonly #givenTo = new Map<number, string | null>()

  constructor(world: World, leases: ModelLeases) {
    this.#world = world
    this.#leases = leases
  }

  replace(next: KeptShardMap): boolean {
    if ((this.row?.version ?? 0) !== next.version - 1) return false
    this.write(next)
    return true
  }

  write(next: KeptShardMap): void {
    if (next.version !== (this.row?.version ?? 0) + 1)
      throw new Violation(
        `version ${this.row?.version} of the map was overwritten by version ${next.version}`,
      )
    for (const [shard, place] of next.places.entries()) {
      const before = this.row?.places[shard]
      if (before === undefined || before.desired === place.desired) continue
      this.#moved(next, shard, before, place)
      this.#givenTo.set(shard, this.#lifeOf(place.desired))
    }
    this.#world.note(() => `map ${next.version}: ${describe(next)}`)
    this.row = next
  }

  storeFor(process: SimulatedProcess, network: Network): ShardMapStore {
    return {
      read: () => network.call(process, 'map', () => this.row),
      replace: (next) => network.call(process, `map to ${next.version}`, () => this.replace(next)),
    }
  }

  loadsFor(process: SimulatedProcess, network: Network): ShardLoadStore {
    return {
      tell: (told) => network.call(process, 'tell loads', () => void this.told.set(told.node, told)),
      read: () => network.call(process, 'loads', () => [...this.told.values()]),
    }
  }

  #moved(next: KeptShardMap, shard: number, before: KeptPlace, place: KeptPlace): void {
    const from = before.desired
    if (from === null) return
    const isLeaving = [this.row, next].some((map) =>
      map?.members.some(({ node, state }) => node === from && state === 'leaving'),
    )
    const life = this.#lifeOf(from)
    if (isLeaving || life === null || life !== this.#givenTo.get(shard)) return
    if (before.owner === place.desired) return
    this.voluntaryMoves++
    if (before.pinned && place.pinned) throw new Violation(`shard ${shard} is pinned and moved from ${from}`)
    if (this.row?.frozen === true && next.frozen)
      throw new Violation(`shard ${shard} moved from ${from} while the map was frozen`)
  }

  #lifeOf(node: string | null): string | null {
    const row = node === null ? undefined : this.#leases.rows.get(node)
    return row?.state === 'alive' ? row.incarnation : null
  }
}

const describe = ({ frozen, places, members, planned }: KeptShardMap): string => {
  const texts = places.map(
    ({ owner, desired, pinned, epoch }) =>
      `${owner ?? '-'}>${desired ?? '-'}${pinned ? '!' : ''}@${epoch ?? '?'}`,
  )
  const names = members.map(({ node, state }) => `${node} ${state}`)
  return `${frozen ? 'frozen ' : ''}${texts.join(' ')}; ${names.join(', ')}; ${planned.length} planned`
}
