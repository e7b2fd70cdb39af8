import { shardDigits } from '../../domain/references.ts'
import type { Runtime } from '../../ports/runtime.ts'

/** A shard whose holders of copies are not known: those that the owner before had are over after some time. */
type Unknown = {
  readonly epoch: number
  readonly untilMs: number
  /** What has changed here meanwhile; null when it is too much to be remembered. */
  changed: Set<string> | null
  readonly over: Promise<void>
  readonly end: AbortController
}

/** The shards that were opened here of late, without word of the owner before. */
export class UnknownHolders {
  readonly #runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  readonly #changedMax: number
  readonly #shards = new Map<number, Unknown>()
  /** Also of shards that were closed meanwhile. */
  readonly #waits = new Set<AbortController>()
  #isStopped = false

  constructor(runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>, changedMax: number) {
    this.#runtime = runtime
    this.#changedMax = changedMax
  }

  /** Resolves when they are over, or known; null where they are known. */
  overFor(shard: number): Promise<void> | null {
    return this.#shards.get(shard)?.over ?? null
  }

  /** For how long yet. */
  forMs(shard: number): number {
    const untilMs = this.#shards.get(shard)?.untilMs
    return untilMs === undefined ? 0 : Math.max(0, untilMs - this.#runtime.monotonicMs())
  }

  begin(shard: number, epoch: number, forMs: number, changed: Set<string> | null = new Set()): void {
    if (forMs <= 0) return
    const end = new AbortController()
    const untilMs = this.#runtime.monotonicMs() + forMs
    const unknown: Unknown = { epoch, untilMs, changed, over: this.#over(untilMs, end), end }
    this.#shards.set(shard, unknown)
    void unknown.over.then(() => {
      if (this.#shards.get(shard) === unknown) this.#shards.delete(shard)
    })
  }

  changed(actor: string): void {
    const unknown = this.#shards.get(shardDigits(actor))
    if (unknown === undefined || unknown.changed === null) return
    unknown.changed.add(actor)
    if (unknown.changed.size > this.#changedMax) unknown.changed = null
  }

  /**
   * The owner of the epoch before tells who they are, and that it did not know others for `unknownForMs` yet. Null where
   * that is of no use; else what has changed here since the opening.
   */
  known(shard: number, epoch: number, unknownForMs: number): ReadonlySet<string> | null {
    const unknown = this.#shards.get(shard)
    if (unknown === undefined || unknown.changed === null || unknown.epoch !== epoch + 1) return null
    const { changed, end } = unknown
    if (this.#runtime.monotonicMs() + unknownForMs >= unknown.untilMs) return null
    this.#shards.delete(shard)
    this.begin(shard, unknown.epoch, unknownForMs, changed)
    end.abort()
    return changed
  }

  /** Whoever waits goes on waiting: what is over does not depend on who serves the shard. */
  closed(shard: number): void {
    this.#shards.delete(shard)
  }

  stop(): void {
    this.#isStopped = true
    for (const wait of this.#waits) wait.abort()
  }

  async #over(untilMs: number, end: AbortController): Promise<void> {
    this.#waits.add(end)
    for (let leftMs = untilMs - this.#runtime.monotonicMs(); leftMs > 0 && !end.signal.aborted; ) {
      await this.#runtime.sleep(leftMs, end.signal).catch(() => undefined)
      leftMs = untilMs - this.#runtime.monotonicMs()
    }
    this.#waits.delete(end)
    // A node that stops answers nothing more: whoever waits is not to be let go.
    if (this.#isStopped) return new Promise(() => undefined)
  }
}
