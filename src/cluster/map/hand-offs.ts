import type { KeptShardMap } from '../../ports/shard-map.ts'
import { withinBy } from '../../timing/within.ts'
import type { MapKeeperParts } from './keeper-parts.ts'

type Parts = Pick<MapKeeperParts, 'node' | 'server' | 'runtime' | 'settings' | 'report'>

/** Hands back the shards that the map wants elsewhere, some at a time. */
export class HandOffs {
  readonly #parts: Parts
  readonly #ended: () => void
  readonly #closing = new Map<number, Promise<void>>()
  /** Since when each shard is known to be wanted by another node. */
  readonly #wantedSinceMs = new Map<number, number>()

  constructor(parts: Parts, ended: () => void) {
    this.#parts = parts
    this.#ended = ended
  }

  has(shard: number): boolean {
    return this.#closing.has(shard)
  }

  get areToCome(): boolean {
    return this.#wantedSinceMs.size > this.#closing.size
  }

  /** A shard goes only to a node that lives: as long as its next owner is away, it is served here. */
  step({ places }: KeptShardMap, alive: ReadonlySet<string>): void {
    const { node, server, runtime, settings } = this.#parts
    const nowMs = runtime.monotonicMs()
    for (const [shard, { desired }] of places.entries()) {
      const goes = desired !== null && desired !== node && alive.has(desired) && server.isOpen(shard)
      if (!goes) {
        this.#wantedSinceMs.delete(shard)
        continue
      }
      const sinceMs = this.#wantedSinceMs.get(shard) ?? nowMs
      this.#wantedSinceMs.set(shard, sinceMs)
      if (nowMs - sinceMs < settings.noticeMs || this.#closing.has(shard)) continue
      if (this.#closing.size < settings.handingOffMax) void this.#close(shard, true)
    }
  }

  /** Resolves when none of them is served here any more. */
  async closeAll(shards: readonly number[]): Promise<void> {
    const { server } = this.#parts
    const open = shards.filter((shard) => server.isOpen(shard) && !this.#closing.has(shard))
    for (const shard of open) void this.#close(shard, false)
    await Promise.all(shards.flatMap((shard) => this.#closing.get(shard) ?? []))
  }

  #close(shard: number, isAwaited: boolean): Promise<void> {
    const closing = this.#handBack(shard, isAwaited)
      .catch((error: unknown) => this.#parts.report(shard, error))
      .finally(() => {
        this.#closing.delete(shard)
        this.#wantedSinceMs.delete(shard)
        this.#ended()
      })
    this.#closing.set(shard, closing)
    return closing
  }

  async #handBack(shard: number, isAwaited: boolean): Promise<void> {
    const { server, runtime, settings } = this.#parts
    if (isAwaited)
      await withinBy(runtime, settings.catchUpMs, server.catchUp(shard), () => undefined).catch(
        () => undefined,
      )
    await server.close(shard)
  }
}
