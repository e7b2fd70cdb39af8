import type { ShardMap, ShardMapView, ShardPlace } from '../../../src/ports/shard-map.ts'
import { withinBy } from '../../../src/timing/within.ts'
import type { Network } from '../network.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'

/** The row of the map in the store, changed as a whole. */
export class ModelMap {
  map: ShardMap
  readonly #world: World

  constructor(world: World, nodes: readonly string[], shardCount: number) {
    this.#world = world
    const places = Array.from({ length: shardCount }, (): ShardPlace => {
      return { owner: null, desired: world.random.pick(nodes), pinned: false }
    })
    this.map = { version: 1, frozen: false, places }
  }

  /** A conditional write on the version that was read, in the moment in which the store does it. */
  change(shard: number, next: (place: ShardPlace) => Partial<ShardPlace> | null): void {
    const { version, places } = this.map
    const place = places[shard]
    const changes = place === undefined ? null : next(place)
    if (changes === null) return
    const changed = places.map((each, index) => (index === shard ? { ...each, ...changes } : each))
    this.map = { ...this.map, version: version + 1, places: changed }
    this.#world.note(() => `map ${version + 1}: shard ${shard} is to be ${JSON.stringify(changes)}`)
  }
}

const SHARED_FOR_MS = 1_000
const POLL_MS = 3_000
const CALL_TIMEOUT_MS = 2_000

/** What one process has seen of the map: it may be old, and to read it may fail. */
export class SeenMap implements ShardMapView {
  readonly #process: SimulatedProcess
  readonly #network: Network
  readonly #model: ModelMap
  readonly #listeners = new Set<(map: ShardMap) => void>()
  #seen: ShardMap
  #reading: { readonly map: Promise<ShardMap>; readonly sinceMs: number } | null = null

  constructor(process: SimulatedProcess, network: Network, model: ModelMap) {
    this.#process = process
    this.#network = network
    this.#model = model
    this.#seen = {
      ...model.map,
      version: 0,
      places: model.map.places.map((each) => ({ ...each, owner: null })),
    }
  }

  current(): ShardMap {
    return this.#seen
  }

  ownerOf(shard: number): string | null {
    const place = this.#seen.places[shard]
    return place?.owner ?? place?.desired ?? null
  }

  refreshed(): Promise<ShardMap> {
    const nowMs = this.#process.runtime.monotonicMs()
    if (this.#reading === null || nowMs > this.#reading.sinceMs + SHARED_FOR_MS)
      this.#reading = { map: this.#read(), sinceMs: nowMs }
    return this.#reading.map
  }

  onChange(listener: (map: ShardMap) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  change(shard: number, next: (place: ShardPlace) => Partial<ShardPlace> | null): Promise<void> {
    return this.#call(`map of ${shard}`, () => this.#model.change(shard, next))
  }

  async poll(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.refreshed().catch(() => undefined)
      await this.#process.runtime.sleep(POLL_MS, signal).catch(() => undefined)
    }
  }

  /** Some calls are never answered. */
  #call<Value>(name: string, apply: () => Value): Promise<Value> {
    const call = this.#network.call(this.#process, name, apply)
    return withinBy(this.#process.runtime, CALL_TIMEOUT_MS, call, () => {
      throw new Error('the store did not answer in time')
    })
  }

  async #read(): Promise<ShardMap> {
    const map = await this.#call('map', () => this.#model.map)
    this.#reading = null
    if (map.version > this.#seen.version) {
      this.#seen = map
      for (const listener of this.#listeners) listener(map)
    }
    return this.#seen
  }
}
