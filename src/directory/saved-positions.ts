import type { Journal, TailPosition } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'

/** The journal keeps what the reader of this name has not read yet. */
export const DIRECTORY_READER = 'directory'

/** The journal needs the position only to know which old segments may go. */
const SAVE_EVERY_SLOTS = 256
/** A shard with little traffic keeps little, too; what is saved then is old enough to be on the disk here as well. */
const SAVE_EVERY_MS = 20_000

export type SavedPositionsParts = {
  readonly journal: Pick<Journal, 'savePosition'>
  readonly runtime: Pick<Runtime, 'sleep'>
  /** Up to where the log may be forgotten, as others may have to read it; null while nothing new may go. */
  readonly forgettable?: (shard: number, position: TailPosition) => TailPosition | null
}

/** Up to where the lists have read each shard, as the journal knows it. */
export class SavedPositions {
  readonly #parts: SavedPositionsParts
  readonly #savedNo = new Map<number, number>()

  constructor(parts: SavedPositionsParts) {
    this.#parts = parts
  }

  async save(shard: number, position: TailPosition): Promise<void> {
    const savedNo = this.#savedNo.get(shard)
    if (savedNo !== undefined && position.no - savedNo < SAVE_EVERY_SLOTS) return
    await this.#saveNow(shard, position)
  }

  async saveAgainAndAgain(
    positions: () => ReadonlyMap<number, TailPosition>,
    signal: AbortSignal,
  ): Promise<void> {
    let earlier: ReadonlyMap<number, TailPosition> = new Map()
    while (!signal.aborted) {
      await this.#parts.runtime.sleep(SAVE_EVERY_MS, signal).catch(() => undefined)
      if (signal.aborted) return
      const isUnsaved = ([shard, { no }]: readonly [number, TailPosition]): boolean =>
        no > (this.#savedNo.get(shard) ?? 0)
      // All at once, so that the journal writes them in one transaction. Where it cannot, only the log grows longer.
      await Promise.allSettled([...earlier].filter(isUnsaved).map((entry) => this.#saveNow(...entry)))
      earlier = positions()
    }
  }

  async #saveNow(shard: number, position: TailPosition): Promise<void> {
    const { journal, forgettable } = this.#parts
    const upTo = forgettable === undefined ? position : forgettable(shard, position)
    if (upTo === null || upTo.no <= (this.#savedNo.get(shard) ?? -1)) return
    await journal.savePosition(DIRECTORY_READER, shard, upTo)
    this.#savedNo.set(shard, upTo.no)
  }
}
