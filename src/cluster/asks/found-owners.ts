import type { ShardMapView } from '../../ports/shard-map.ts'

type Found = { readonly node: string; readonly mapVersion: number }

/** Which node to ask for a shard: what the map says, and until there is a newer map, where the shard was found instead. */
export class FoundOwners {
  readonly #self: string
  readonly #map: ShardMapView
  readonly #found = new Map<number, Found>()

  constructor(self: string, map: ShardMapView) {
    this.#self = self
    this.#map = map
  }

  /**
   * Null where no other node is known to serve it. While a shard moves, its owner serves it until it says that it does
   * not, so that nobody waits before the owner begins to let go.
   */
  nodeFor(shard: number): string | null {
    const found = this.#found.get(shard)
    if (found?.mapVersion === this.#map.current().version) return found.node
    const owner = this.#ownerInMap(shard)
    return owner === this.#self ? null : owner
  }

  /** Where a shard can be that was not where it was looked for: while it moves, with either of two nodes. */
  candidates(shard: number): readonly string[] {
    const desired = this.#map.current().places[shard]?.desired ?? null
    return [...new Set([desired, this.#ownerInMap(shard)])].filter(
      (node): node is string => node !== null && node !== this.#self,
    )
  }

  /** False where the map says otherwise, so that there must be a newer one. */
  foundAt(shard: number, node: string): boolean {
    const isAsMapped = this.#ownerInMap(shard) === node
    if (isAsMapped) this.#found.delete(shard)
    else this.#found.set(shard, { node, mapVersion: this.#map.current().version })
    return isAsMapped
  }

  notAt(shard: number, node: string): void {
    if (this.#found.get(shard)?.node === node) this.#found.delete(shard)
  }

  #ownerInMap(shard: number): string | null {
    return this.#map.current().places[shard]?.owner ?? null
  }
}
