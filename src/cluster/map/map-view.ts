import { SHARD_COUNT } from '../../domain/references.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type {
  ChangeableMap,
  KeptPlace,
  KeptShardMap,
  MapChange,
  ShardMapStore,
} from '../../ports/shard-map.ts'
import { withinBy } from '../../timing/within.ts'

export const mapViewDefaults = {
  attemptTimeoutMs: 2_000,
  /** Another node was faster so many times in a row before a change gives up; it is tried again at the next step. */
  attemptsMax: 20,
  retryMs: 20,
  /** Whoever changes the map waits no longer, however often a slow store lets it begin anew. */
  changeTimeoutMs: 6_000,
}

export type MapViewSettings = Readonly<typeof mapViewDefaults>

const NOWHERE: KeptPlace = { owner: null, desired: null, pinned: false, epoch: null }

/** Before anybody has written one. */
export const emptyMap = (shardCount = SHARD_COUNT): KeptShardMap => ({
  version: 0,
  frozen: false,
  places: Array.from({ length: shardCount }, () => NOWHERE),
  members: [],
  planned: [],
  deaths: [],
})

/** The map did not take a change: the store is away or too slow, or others were faster each time. */
class MapUnchanged extends Error {
  override readonly name = 'MapUnchanged'
  readonly retryable = true
}

/** One copy of the map for the whole process, which never goes back to an older version. */
export class MapView implements ChangeableMap {
  readonly #store: ShardMapStore
  readonly #runtime: Runtime
  readonly #settings: MapViewSettings
  readonly #listeners = new Set<(map: KeptShardMap) => void>()
  #map: KeptShardMap
  #reading: Promise<KeptShardMap> | null = null
  /** Begins when the one under way has ended, which may have begun before what its caller wants to see. */
  #readingNext: Promise<KeptShardMap> | null = null

  constructor(store: ShardMapStore, runtime: Runtime, shardCount = SHARD_COUNT, settings = mapViewDefaults) {
    this.#store = store
    this.#runtime = runtime
    this.#settings = settings
    this.#map = emptyMap(shardCount)
  }

  current(): KeptShardMap {
    return this.#map
  }

  ownerOf(shard: number): string | null {
    const place = this.#map.places[shard]
    return place?.owner ?? place?.desired ?? null
  }

  refreshed(atLeastVersion?: number): Promise<KeptShardMap> {
    if (atLeastVersion !== undefined && this.#map.version >= atLeastVersion) return Promise.resolve(this.#map)
    const reading = this.#reading
    if (reading === null) return this.#read()
    this.#readingNext ??= reading
      .catch(() => undefined)
      .then(() => {
        this.#readingNext = null
        return this.#read()
      })
    return this.#readingNext
  }

  onChange(listener: (map: KeptShardMap) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * The decision is made again after every attempt, of what is then in the map: so an attempt whose answer was lost does
   * no harm, whether it was applied, is applied later, or never.
   */
  async change(decide: MapChange): Promise<KeptShardMap> {
    const { attemptsMax, retryMs, changeTimeoutMs, attemptTimeoutMs } = this.#settings
    const endMs = this.#runtime.monotonicMs() + changeTimeoutMs
    const leftMs = (): number => Math.max(0, endMs - this.#runtime.monotonicMs())
    let failure: unknown
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const map = this.#map
      const changed = decide(map)
      if (changed === null) return map
      if (leftMs() === 0) break
      const next: KeptShardMap = { ...changed, version: map.version + 1 }
      try {
        if (await this.#limited(this.#store.replace(next), Math.min(leftMs(), attemptTimeoutMs))) {
          this.#seen(next)
          continue
        }
      } catch (error) {
        if (!isRetryable(error)) throw error
        failure = error
      }
      await this.#runtime.sleep(Math.min(leftMs(), this.#runtime.random() * retryMs * attempt))
      await this.#limited(this.refreshed(), leftMs())
    }
    throw new MapUnchanged('the map of shards took no change', { cause: failure })
  }

  #read(): Promise<KeptShardMap> {
    const reading = this.#limited(this.#store.read(), this.#settings.attemptTimeoutMs)
      .then((map) => this.#seen(map))
      .finally(() => {
        if (this.#reading === reading) this.#reading = null
      })
    this.#reading = reading
    return reading
  }

  #seen(map: KeptShardMap | null): KeptShardMap {
    if (map === null || map.version <= this.#map.version) return this.#map
    this.#map = map
    for (const listener of this.#listeners) listener(map)
    return map
  }

  #limited<Answer>(call: Promise<Answer>, limitMs: number): Promise<Answer> {
    return withinBy(this.#runtime, limitMs, call, () => {
      throw new MapUnchanged('the store did not answer in time')
    })
  }
}

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && 'retryable' in error && error.retryable === true
