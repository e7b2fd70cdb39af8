import type { KeptShardMap } from '../../ports/shard-map.ts'
import { withinBy } from '../../timing/within.ts'
import type { MapKeeperParts } from './keeper-parts.ts'

type Parts = Pick<MapKeeperParts, 'node' | 'map' | 'server' | 'talk' | 'runtime' | 'settings' | 'report'>

type HandOff = { readonly sinceMs: number; readonly work: Promise<void> }

/** Hands back the shards that the map wants elsewhere, some at a time. */
export class HandOffs {
  readonly #parts: Parts
  readonly #ended: () => void
  readonly #closing = new Map<number, HandOff>()
  #areAllClosed = false
  #endedAtMs = Number.NEGATIVE_INFINITY
  readonly #handingOver = new Set<Promise<void>>()
  /** Since when each shard is known to be wanted by another node. */
  readonly #wantedSinceMs = new Map<number, number>()
  /** Next owners that did not say that they wait, and when one of them is asked again, for one shard. */
  readonly #absent = new Map<string, { askAtMs: number }>()

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

  /**
   * For how long that has been under way which has taken longest; what waits for its turn, or for its next owner, is not.
   * Where all go at once they are slow together, and as long as one after the other ends, none of them is held up.
   */
  get longestMs(): number {
    const nowMs = this.#parts.runtime.monotonicMs()
    const from = (sinceMs: number): number =>
      this.#areAllClosed ? Math.max(sinceMs, this.#endedAtMs) : sinceMs
    return Math.max(0, ...Array.from(this.#closing.values(), ({ sinceMs }) => nowMs - from(sinceMs)))
  }

  /** With another lease the node begins without shards, and what has not ended with the one before keeps none from it. */
  beginAnew(): void {
    this.#closing.clear()
    this.#wantedSinceMs.clear()
    this.#absent.clear()
  }

  /** A shard goes only to a node that is there: as long as its next owner is away, it is served here. */
  step({ places }: KeptShardMap, alive: ReadonlySet<string>): void {
    const { node, server, runtime, settings } = this.#parts
    const nowMs = runtime.monotonicMs()
    for (const gone of this.#absent.keys()) if (!alive.has(gone)) this.#absent.delete(gone)
    const mayBeThere = (desired: string): boolean =>
      alive.has(desired) && (this.#absent.get(desired)?.askAtMs ?? 0) <= nowMs
    for (const [shard, { desired }] of places.entries()) {
      if (desired === null || desired === node || !mayBeThere(desired) || !server.isOpen(shard)) {
        this.#wantedSinceMs.delete(shard)
        continue
      }
      const sinceMs = this.#wantedSinceMs.get(shard) ?? nowMs
      this.#wantedSinceMs.set(shard, sinceMs)
      if (nowMs - sinceMs < settings.noticeMs || this.#closing.has(shard)) continue
      if (this.#closing.size >= settings.handingOffMax) continue
      const absent = this.#absent.get(desired)
      if (absent !== undefined) absent.askAtMs = Number.POSITIVE_INFINITY
      void this.#begin(shard, this.#handBack(shard, desired))
    }
  }

  /** Resolves when none of them is served here any more. */
  async closeAll(shards: readonly number[]): Promise<void> {
    const { server } = this.#parts
    this.#areAllClosed = true
    const close = async (shard: number): Promise<void> => {
      // One that was on its way to a node that did not answer is served still.
      await this.#closing.get(shard)?.work
      if (server.isOpen(shard))
        await (this.#closing.get(shard)?.work ?? this.#begin(shard, this.#letGo(shard)))
    }
    await Promise.all(shards.map(close))
  }

  /** Resolves when the next owners have been told of all that was let go. */
  async handedOver(): Promise<void> {
    await Promise.all(this.#handingOver)
  }

  #begin(shard: number, work: Promise<void>): Promise<void> {
    const { runtime, report } = this.#parts
    const handOff: HandOff = {
      sinceMs: runtime.monotonicMs(),
      work: work
        .catch((error: unknown) => report(shard, error))
        .finally(() => {
          if (this.#closing.get(shard) === handOff) this.#over(shard)
          this.#ended()
        }),
    }
    this.#closing.set(shard, handOff)
    return handOff.work
  }

  #over(shard: number): void {
    this.#closing.delete(shard)
    this.#wantedSinceMs.delete(shard)
    this.#endedAtMs = this.#parts.runtime.monotonicMs()
  }

  async #handBack(shard: number, to: string): Promise<void> {
    const { map, server, talk, runtime, settings } = this.#parts
    await withinBy(runtime, settings.catchUpMs, server.catchUp(shard), () => undefined).catch(() => undefined)
    // The map may have changed meanwhile.
    const isWanted = map.current().places[shard]?.desired === to
    const isAwaited = isWanted && (await talk.isAwaited(shard, to))
    if (isAwaited) this.#absent.delete(to)
    else if (isWanted || this.#absent.has(to))
      this.#absent.set(to, { askAtMs: runtime.monotonicMs() + settings.absentMs })
    if (isAwaited) await this.#letGo(shard)
  }

  /** Nobody serves the shard from here on until its next owner has opened it, so it is told of the rest behind that. */
  async #letGo(shard: number): Promise<void> {
    const { server, talk } = this.#parts
    await server.close(shard)
    const handingOver: Promise<void> = talk
      .handOver(shard)
      .finally(() => void this.#handingOver.delete(handingOver))
    this.#handingOver.add(handingOver)
  }
}
