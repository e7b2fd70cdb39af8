import { firstPlaceOf } from './place.ts'
import { fold } from '../domain/case-folded.ts'
import { needleOf, TextColumn, widened } from './text-column.ts'

export type ColumnRow = {
  readonly seq: number
  readonly place: number
  readonly state: string
  readonly search: string
  readonly externalId: string | null
}

export type Search = {
  readonly q: string | null
  readonly externalId: string | null
  readonly states: readonly string[]
  readonly fromMs: number | null
  readonly toMs: number | null
  readonly page: number
  readonly pageSize: number
}

/** Some rows have numbers below zero. */
const BEFORE_ALL = Number.NEGATIVE_INFINITY
/** In the place of a state: the record is listed no longer, and its slot is passed over. */
const GONE = 0xff_ff

/** One list in memory, oldest first, with the columns that a search for text needs. */
export class Columns {
  #places = new Float64Array(256)
  #seqs = new Float64Array(256)
  #states = new Uint16Array(256)
  readonly #search = new TextColumn()
  readonly #externalIds = new TextColumn()
  readonly #stateNumbers = new Map<string, number>()
  #count = 0
  #gone = 0
  readonly #movedMax: number

  /**
   * An insertion further from the newest record would move too many others; it happens when old records are projected
   * again.
   */
  constructor(movedMax: number) {
    this.#movedMax = movedMax
  }

  get memoryBytes(): number {
    const fixed = this.#places.byteLength + this.#seqs.byteLength + this.#states.byteLength
    return fixed + this.#search.memoryBytes + this.#externalIds.memoryBytes
  }

  /** False when the row would move too many others, so that this copy of the list must be given up. */
  put(row: ColumnRow): boolean {
    const slot = this.#slotFrom(row.place, row.seq)
    if (this.#isAt(slot, row)) {
      if (this.#states[slot] === GONE) this.#gone -= 1
      this.#states[slot] = this.#stateNumber(row.state)
      this.#search.replace(slot, row.search)
      this.#externalIds.replace(slot, row.externalId ?? '')
      return true
    }
    if (this.#count - slot > this.#movedMax) return false
    this.#insert(slot, row)
    return true
  }

  /**
   * Its texts are overwritten, and its slot stays: moving all behind it would take as long as reading a part of the list.
   * False when so many slots are left over that this copy of the list should be given up.
   */
  remove(row: Pick<ColumnRow, 'place' | 'seq'>): boolean {
    const slot = this.#slotFrom(row.place, row.seq)
    if (!this.#isAt(slot, row) || this.#states[slot] === GONE) return true
    this.#states[slot] = GONE
    this.#search.replace(slot, '')
    this.#externalIds.replace(slot, '')
    this.#gone += 1
    return this.#gone * 2 <= this.#count
  }

  /** Finds the page, newest first, and the total in one walk. */
  find(search: Search): { readonly seqs: readonly number[]; readonly total: number } {
    const low = search.fromMs === null ? 0 : this.#slotFrom(firstPlaceOf(search.fromMs), BEFORE_ALL)
    const high = search.toMs === null ? this.#count : this.#slotFrom(firstPlaceOf(search.toMs), BEFORE_ALL)
    const q = search.q === null ? null : needleOf(fold(search.q))
    const externalId = search.externalId === null ? null : needleOf(fold(search.externalId))
    const offset = (search.page - 1) * search.pageSize
    const found = this.#marked(q, externalId, low, high)
    const wanted = search.states.length === 0 ? null : this.#wanted(search.states)
    const seqs: number[] = []
    let total = 0
    for (let slot = high - 1; slot >= low; slot--) {
      if (found !== null && found[slot] !== 1) continue
      if (this.#states[slot] === GONE) continue
      if (wanted !== null && wanted[this.#states[slot] ?? 0] !== 1) continue
      if (total >= offset && total < offset + search.pageSize) seqs.push(this.#seqs[slot] ?? 0)
      total++
    }
    return { seqs, total }
  }

  /** Marks the slots whose texts match; null when the search has no text. */
  #marked(q: Uint8Array | null, externalId: Uint8Array | null, low: number, high: number): Uint8Array | null {
    if (q === null && externalId === null) return null
    const marks = new Uint8Array(this.#count)
    if (q !== null) this.#search.mark(q, low, high, marks)
    else if (externalId !== null) this.#externalIds.mark(externalId, low, high, marks)
    if (q === null || externalId === null) return marks
    for (let slot = low; slot < high; slot++)
      if (marks[slot] === 1 && !this.#externalIds.contains(slot, externalId)) marks[slot] = 0
    return marks
  }

  #isAt(slot: number, { place, seq }: Pick<ColumnRow, 'place' | 'seq'>): boolean {
    return slot < this.#count && this.#places[slot] === place && this.#seqs[slot] === seq
  }

  #insert(slot: number, row: ColumnRow): void {
    if (this.#count === this.#places.length) this.#widen()
    if (slot < this.#count)
      for (const column of [this.#places, this.#seqs, this.#states])
        column.copyWithin(slot + 1, slot, this.#count)
    this.#places[slot] = row.place
    this.#seqs[slot] = row.seq
    this.#states[slot] = this.#stateNumber(row.state)
    this.#search.insert(slot, row.search)
    this.#externalIds.insert(slot, row.externalId ?? '')
    this.#count += 1
  }

  #widen(): void {
    this.#places = widened(this.#places)
    this.#seqs = widened(this.#seqs)
    this.#states = widened(this.#states)
  }

  /** The first slot at or after (place, seq). */
  #slotFrom(place: number, seq: number): number {
    // Nearly every row that is put is the newest.
    if (this.#count === 0 || (this.#places[this.#count - 1] ?? 0) < place) return this.#count
    let low = 0
    let high = this.#count
    while (low < high) {
      const middle = (low + high) >>> 1
      const at = this.#places[middle] ?? 0
      if (at < place || (at === place && (this.#seqs[middle] ?? 0) < seq)) low = middle + 1
      else high = middle
    }
    return low
  }

  #stateNumber(state: string): number {
    const known = this.#stateNumbers.get(state) ?? this.#stateNumbers.size
    this.#stateNumbers.set(state, known)
    return known
  }

  #wanted(states: readonly string[]): Uint8Array {
    const wanted = new Uint8Array(this.#stateNumbers.size)
    for (const state of states) {
      const number = this.#stateNumbers.get(state)
      if (number !== undefined) wanted[number] = 1
    }
    return wanted
  }
}
