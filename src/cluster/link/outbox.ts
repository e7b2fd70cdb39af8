import { type Frame, frameBytes, writeBatch } from './batch.ts'
import type { LinkCounts } from './link-counts.ts'
import type { Wire } from './wire.ts'

/** More than that does not make a batch cheaper, and holds up what comes behind it. */
export const BATCH_BYTES = 64 << 10
const NUMBERS = 2 ** 32

/**
 * Frames of one turn go out as one batch: encryption, framing and system calls cost per batch, not per frame. The end
 * of the turn is when all handlers that could run have run.
 */
export class Outbox {
  readonly #wire: Wire
  readonly #nowMs: () => number
  readonly #counts: LinkCounts
  #frames: Frame[] = []
  #bytes = 0
  /** When the first frame came: what waits here, in a process that is held up, was under way for so long. */
  #sinceMs = 0
  #sent = 0
  #isPlanned = false
  #isClosed = false

  constructor(wire: Wire, nowMs: () => number, counts: LinkCounts) {
    this.#wire = wire
    this.#nowMs = nowMs
    this.#counts = counts
  }

  /** The count of the batch that the frame will be in. */
  push(frame: Frame): number {
    const bytes = frameBytes(frame)
    if (this.#bytes > 0 && this.#bytes + bytes > BATCH_BYTES) this.flush()
    if (this.#frames.length === 0) this.#sinceMs = this.#nowMs()
    this.#frames.push(frame)
    this.#bytes += bytes
    if (!this.#isPlanned) {
      this.#isPlanned = true
      setImmediate(() => {
        this.#isPlanned = false
        if (this.#frames.length > 0) this.flush()
      })
    }
    return this.#sent + 1
  }

  /** An empty batch is a heartbeat. */
  flush(): void {
    if (this.#isClosed) return
    const frames = this.#frames
    const bytes = this.#bytes
    this.#frames = []
    this.#bytes = 0
    const number = ++this.#sent % NUMBERS
    const sentAtMs = frames.length > 0 ? this.#sinceMs : this.#nowMs()
    const batch = writeBatch({ number, sentAtMs, frames }, bytes)
    this.#counts.batchesSent++
    this.#counts.bytesSent += batch.length
    this.#wire.send(batch)
  }

  /** Whether the batch of this count has left. */
  hasSent(count: number): boolean {
    return count <= this.#sent
  }

  get sent(): number {
    return this.#sent
  }

  /** What has not left yet never will. */
  close(): void {
    this.#isClosed = true
    this.#frames = []
    this.#bytes = 0
  }
}

/** Says whether a batch is the next one of its connection; lost, doubled and exchanged ones are noticed. */
export const batchOrder = (): ((number: number) => boolean) => {
  let count = 0
  return (number) => number === ++count % NUMBERS
}
