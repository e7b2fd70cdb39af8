import type { TailPosition } from '../../ports/journal.ts'
import type { Rev } from '../../ports/list-replicas.ts'

type Mark = { readonly rev: Rev; readonly position: TailPosition; readonly atMs: number }

/**
 * Up to where each log may be forgotten: what the files of all living nodes have, so that any of them can go on as the
 * next owner. A node that does not follow holds it up for a bounded time.
 */
export class KeptLog {
  readonly #marks = new Map<number, Mark>()
  readonly #known = new Map<number, TailPosition>()
  readonly #heldMs: number

  constructor(heldMs: number) {
    this.#heldMs = heldMs
  }

  /** Asked again and again with the position that this node's file has reached; one mark at a time waits for the others. */
  forgettable(shard: number, now: Mark, acknowledged: Rev): TailPosition | null {
    const isKnown = ({ rev, atMs }: Mark): boolean => acknowledged >= rev || now.atMs - atMs >= this.#heldMs
    const mark = this.#marks.get(shard) ?? now
    if (isKnown(mark)) {
      this.#known.set(shard, mark.position)
      this.#marks.delete(shard)
    } else this.#marks.set(shard, mark)
    return this.#known.get(shard) ?? null
  }

  forget(shard: number): void {
    this.#marks.delete(shard)
    this.#known.delete(shard)
  }
}
