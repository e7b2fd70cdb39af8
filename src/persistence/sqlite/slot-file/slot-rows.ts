import { parseTimers, type EntryTimers } from '../../packed-timers.ts'
import { LayoutReader, type LayoutWriter } from './row-layout.ts'

/** The first number of a layout says which kind of row it is. */
export const OPEN_RECORD = 0
export const BATCH = 1

/** Reads the entries of a row, whose layout README.md draws. Callers that need no texts may pass an empty body. */
export class RowEntries {
  readonly batchId: string
  /** The owner that an open record names; null for a batch. */
  readonly node: string | null
  actor = 0
  rowsBack = 0
  seq = 0
  eventCount = 0
  readonly #layout: LayoutReader
  readonly #body: string
  readonly #eventLengths: number[] = []
  #commandLength = 0
  #timersLength = 0
  #textAt = 0
  #textEnd = 0

  constructor(layout: Uint8Array, body: string) {
    this.#layout = new LayoutReader(layout)
    this.#body = body
    const kind = this.#layout.next()
    this.#textEnd = this.#layout.next()
    this.batchId = body.slice(0, this.#textEnd)
    this.node = kind === OPEN_RECORD ? body.slice(this.#textEnd) : null
  }

  /** Moves to the next entry; false after the last. */
  next(): boolean {
    const layout = this.#layout
    if (layout.atEnd) return false
    this.actor = layout.next()
    this.rowsBack = layout.next()
    this.seq = layout.next()
    this.#commandLength = layout.next()
    this.#timersLength = layout.next()
    this.eventCount = layout.next()
    this.#textAt = this.#textEnd
    this.#textEnd += this.#timersLength + Math.max(0, this.#commandLength - 1)
    for (let event = 0; event < this.eventCount; event++) {
      const length = layout.next()
      this.#eventLengths[event] = length
      this.#textEnd += length
    }
    return true
  }

  get textLength(): number {
    return this.#textEnd - this.#textAt
  }

  /** Adds the entry to another row, without what only the log needs; answers the texts of it that belong there. */
  copyTo(layout: LayoutWriter): string {
    layout.add(this.actor)
    layout.add(this.rowsBack)
    layout.add(this.seq)
    layout.add(this.#commandLength)
    layout.add(0)
    layout.add(this.eventCount)
    for (const length of this.#eventLengths.slice(0, this.eventCount)) layout.add(length)
    return this.#body.slice(this.#textAt + this.#timersLength, this.#textEnd)
  }

  timers(actorName: string): EntryTimers {
    return parseTimers(this.#body.slice(this.#textAt, this.#textAt + this.#timersLength), actorName)
  }

  commandId(): string | null {
    if (this.#commandLength === 0) return null
    const at = this.#textAt + this.#timersLength
    return this.#body.slice(at, at + this.#commandLength - 1)
  }

  events(): readonly string[] {
    if (this.#textEnd > this.#body.length) throw new Error('a row of the journal file has lost its end')
    let at = this.#textAt + this.#timersLength + Math.max(0, this.#commandLength - 1)
    return this.#eventLengths.slice(0, this.eventCount).map((length) => {
      at += length
      return this.#body.slice(at - length, at)
    })
  }
}
