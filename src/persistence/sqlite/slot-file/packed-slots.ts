import type { LogSlot } from '../../store-port.ts'
import { timersText } from '../../packed-timers.ts'

/**
 * Slots on their way to the writing thread, packed as the rows they become (drawn in README.md). Every value that
 * crosses the thread boundary is copied separately, so there are few: the texts of a row are one body, which goes into
 * the file as it is.
 */
export type PackedSlots = { readonly numbers: Float64Array; readonly texts: readonly string[] }

export const OPEN = -1
const NUMBERS_OF_ROW = 7
const [AT_REST, AT_ENTRIES, AT_MORE] = [3, 4, 6]

/**
 * A longer slot becomes several rows: reading one actor means reading the rows with its events, and must not mean
 * reading half a megabyte of other actors' events.
 */
const BODY_LENGTH_MAX = 8_192
const FIRST_NUMBERS = 8_192

export class SlotPacker {
  #numbers = new Float64Array(FIRST_NUMBERS)
  #used = 0
  #texts: string[] = []

  add({ shard, no, epoch, batchId, record }: LogSlot): void {
    if (record.kind === 'open') {
      this.#beginRow(shard, no, epoch, OPEN, batchId.length)
      this.#texts.push(batchId + record.node)
      return
    }
    const { entries } = record
    for (const entry of entries)
      if (entry.events.length === 0) throw new RangeError(`an entry of ${entry.actor} has no event`)
    const firstRow = this.#used
    let row = this.#beginRow(shard, no, epoch, 0, batchId.length)
    let bodyAt = this.#texts.push('') - 1
    let body = batchId
    let rows = 1
    let count = 0
    for (const entry of entries) {
      if (body.length > BODY_LENGTH_MAX) {
        this.#endRow(row, count, bodyAt, body)
        row = this.#beginRow(shard, no, epoch, 0, 0)
        bodyAt = this.#texts.push('') - 1
        body = ''
        rows++
        count = 0
      }
      const { commandId, events, seq } = entry
      const timers = timersText(entry)
      this.#reserve(4 + events.length)
      const numbers = this.#numbers
      numbers[this.#used++] = seq
      numbers[this.#used++] = commandId === null ? 0 : commandId.length + 1
      numbers[this.#used++] = timers.length
      numbers[this.#used++] = events.length
      if (timers !== '') body += timers
      if (commandId !== null) body += commandId
      for (const event of events) {
        numbers[this.#used++] = event.length
        body += event
      }
      this.#texts.push(entry.actor)
      count++
    }
    this.#endRow(row, count, bodyAt, body)
    this.#numbers[firstRow + AT_REST] = rows - 1
  }

  /** Takes everything packed since the last call. */
  take(): PackedSlots {
    const packed = { numbers: this.#numbers.slice(0, this.#used), texts: this.#texts }
    this.#used = 0
    this.#texts = []
    return packed
  }

  #beginRow(shard: number, no: number, epoch: number, entries: number, batchIdLength: number): number {
    this.#reserve(NUMBERS_OF_ROW)
    const row = this.#used
    const numbers = this.#numbers
    numbers[this.#used++] = shard
    numbers[this.#used++] = no
    numbers[this.#used++] = epoch
    numbers[this.#used++] = 0
    numbers[this.#used++] = entries
    numbers[this.#used++] = batchIdLength
    numbers[this.#used++] = 0
    return row
  }

  #endRow(row: number, entries: number, bodyAt: number, body: string): void {
    this.#numbers[row + AT_ENTRIES] = entries
    this.#numbers[row + AT_MORE] = this.#used - row - NUMBERS_OF_ROW
    this.#texts[bodyAt] = body
  }

  #reserve(count: number): void {
    if (this.#used + count <= this.#numbers.length) return
    const larger = new Float64Array(Math.max(this.#numbers.length * 2, this.#used + count))
    larger.set(this.#numbers)
    this.#numbers = larger
  }
}

/** A view of one row in the message; values are read from it only when they are asked for. */
export class PackedRow {
  readonly numbers: Float64Array
  readonly shard: number
  readonly no: number
  readonly epoch: number
  /** The number of rows of the same slot that follow. */
  readonly rest: number
  /** The number of entries; OPEN for an open record. */
  readonly entries: number
  readonly batchIdLength: number
  readonly #numbersAt: number
  readonly #texts: readonly string[]
  readonly #textsAt: number

  constructor({ numbers, texts }: PackedSlots, numbersAt: number, textsAt: number) {
    this.numbers = numbers
    this.shard = numbers[numbersAt] ?? 0
    this.no = numbers[numbersAt + 1] ?? 0
    this.epoch = numbers[numbersAt + 2] ?? 0
    this.rest = numbers[numbersAt + AT_REST] ?? 0
    this.entries = numbers[numbersAt + AT_ENTRIES] ?? 0
    this.batchIdLength = numbers[numbersAt + 5] ?? 0
    this.#numbersAt = numbersAt
    this.#texts = texts
    this.#textsAt = textsAt
  }

  get body(): string {
    return this.#texts[this.#textsAt] ?? ''
  }

  actor(entry: number): string {
    return this.#texts[this.#textsAt + 1 + entry] ?? ''
  }

  /** The index at which the numbers of its entries begin. */
  get entriesAt(): number {
    return this.#numbersAt + NUMBERS_OF_ROW
  }

  get numbersEnd(): number {
    return this.entriesAt + (this.numbers[this.#numbersAt + AT_MORE] ?? 0)
  }

  get textsEnd(): number {
    return this.#textsAt + 1 + Math.max(0, this.entries)
  }
}

/** The rows of one slot. */
export type PackedSlot = readonly [first: PackedRow, ...rest: PackedRow[]]

export const unpackSlots = (packed: PackedSlots): readonly PackedSlot[] => {
  const slots: PackedSlot[] = []
  let [numbersAt, textsAt] = [0, 0]
  const nextRow = (): PackedRow => {
    const row = new PackedRow(packed, numbersAt, textsAt)
    numbersAt = row.numbersEnd
    textsAt = row.textsEnd
    return row
  }
  while (numbersAt < packed.numbers.length) {
    const first = nextRow()
    slots.push(first.rest === 0 ? [first] : [first, ...Array.from({ length: first.rest }, nextRow)])
  }
  return slots
}
