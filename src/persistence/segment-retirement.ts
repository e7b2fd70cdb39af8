import type { ShardLogParts } from './shard-log-takeover.ts'
import type { Checkpoint } from './store-port.ts'

/** Deletes whole segments of the log once every reader has passed them. */
export class SegmentRetirement {
  readonly #parts: ShardLogParts
  readonly #shard: number
  readonly #stopped: AbortSignal
  #readUpTo: Pick<Checkpoint, 'publishedNo' | 'projectedNo'>
  #firstSegment: number | null = null
  #isWaiting = false

  constructor(parts: ShardLogParts, shard: number, checkpoint: Checkpoint, stopped: AbortSignal) {
    this.#parts = parts
    this.#shard = shard
    this.#readUpTo = checkpoint
    this.#stopped = stopped
  }

  /** True while a segment is full that a reader has still to pass. */
  get isWaiting(): boolean {
    return this.#isWaiting
  }

  /** The saved positions of the log's readers; they are only asked for when a segment could go. */
  async readUpTo(copiedNo: number): Promise<Pick<Checkpoint, 'publishedNo' | 'projectedNo'>> {
    const { publishedReader, projectedReader } = this.#parts.settings
    const { publishedNo, projectedNo } = this.#readUpTo
    this.#readUpTo = {
      publishedNo: await this.#positionOf(publishedReader, publishedNo, copiedNo),
      projectedNo: await this.#positionOf(projectedReader, projectedNo, copiedNo),
    }
    return this.#readUpTo
  }

  /** The segment of the checkpoint stays, because a takeover learns epoch and owner from the checkpoint's slot. */
  async retire({ copiedNo, publishedNo, projectedNo }: Checkpoint): Promise<void> {
    const { store, calls } = this.#parts
    const passedNo = Math.min(copiedNo, publishedNo, projectedNo)
    const end = Math.floor(passedNo / store.segmentSlots)
    this.#isWaiting = end < Math.floor(copiedNo / store.segmentSlots)
    if (end <= 0) return
    let first = this.#firstSegment
    first ??= await calls.untilAnswered(this.#stopped, () => store.firstSegment(this.#shard))
    for (let segment = first; segment < end; segment++) {
      await calls.untilAnswered(this.#stopped, () => store.retireSegment(this.#shard, segment))
    }
    this.#firstSegment = Math.max(first, end)
  }

  /** A reader may have read only a part of the slot it stands at, so that slot does not count as passed. */
  async #positionOf(reader: string | null, knownNo: number, copiedNo: number): Promise<number> {
    if (reader === null) return copiedNo
    const { store, calls, positions } = this.#parts
    const segmentOf = (no: number): number => Math.floor(no / store.segmentSlots)
    if (segmentOf(copiedNo) <= segmentOf(knownNo)) return knownNo
    const position = await calls.untilAnswered(this.#stopped, () =>
      positions.savedAtLeast(reader, this.#shard),
    )
    return position === null ? -1 : position.no - 1
  }
}
