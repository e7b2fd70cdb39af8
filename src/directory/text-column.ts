/** The way of searching is chosen again after this many texts, by whether one in `FEW` was a hit. */
const STRETCH_SLOTS = 8_192
const FEW = 8

/** The first hit in the block at or after `searched`. */
type NextHit = { searched: number; at: number }

/** The texts of many records one after the other in one block of memory, which a search walks through. */
export class TextColumn {
  #bytes = Buffer.alloc(4_096)
  #end = 0
  #starts = new Uint32Array(256)
  #lengths = new Uint32Array(256)
  #count = 0

  get memoryBytes(): number {
    return this.#bytes.byteLength + this.#starts.byteLength + this.#lengths.byteLength
  }

  insert(slot: number, text: string): void {
    if (this.#count === this.#starts.length) {
      this.#starts = widened(this.#starts)
      this.#lengths = widened(this.#lengths)
    }
    if (slot < this.#count) {
      this.#starts.copyWithin(slot + 1, slot, this.#count)
      this.#lengths.copyWithin(slot + 1, slot, this.#count)
    }
    this.#count += 1
    this.#append(slot, text)
  }

  /** Overwrites the old text, because it may be personal data that was erased. */
  replace(slot: number, text: string): void {
    const start = this.#starts[slot] ?? 0
    const length = this.#lengths[slot] ?? 0
    this.#bytes.fill(0, start, start + length)
    if (Buffer.byteLength(text) > length) return this.#append(slot, text)
    this.#lengths[slot] = this.#bytes.write(text, start)
  }

  /**
   * Marks the slots from `low` to before `high` that contain the needle, and returns how many. Where hits are rare, the
   * library's search runs ahead through the whole block; where they are not, each text is searched alone.
   */
  mark(needle: Uint8Array, low: number, high: number, marks: Uint8Array): number {
    const next: NextHit = { searched: 0, at: -1 }
    let marked = 0
    for (let from = low; from < high; from += STRETCH_SLOTS) {
      const to = Math.min(high, from + STRETCH_SLOTS)
      const few = marked * FEW <= from - low
      marked += few ? this.#markFew(needle, from, to, marks, next) : this.#markMany(needle, from, to, marks)
    }
    return marked
  }

  contains(slot: number, needle: Uint8Array): boolean {
    const bytes = this.#bytes
    const start = this.#starts[slot] ?? 0
    const last = start + (this.#lengths[slot] ?? 0) - needle.length
    const first = needle[0]
    for (let at = start; at <= last; at++) {
      if (bytes[at] !== first) continue
      let matched = 1
      while (matched < needle.length && bytes[at + matched] === needle[matched]) matched++
      if (matched === needle.length) return true
    }
    return false
  }

  #markMany(needle: Uint8Array, low: number, high: number, marks: Uint8Array): number {
    let marked = 0
    for (let slot = low; slot < high; slot++) {
      if (!this.contains(slot, needle)) continue
      marks[slot] = 1
      marked++
    }
    return marked
  }

  #markFew(needle: Uint8Array, low: number, high: number, marks: Uint8Array, next: NextHit): number {
    const block = this.#bytes.subarray(0, this.#end)
    let marked = 0
    for (let slot = low; slot < high; slot++) {
      const start = this.#starts[slot] ?? 0
      const last = start + (this.#lengths[slot] ?? 0) - needle.length
      if (start < next.searched) {
        // A text that was replaced by a longer one stands later in the block.
        if (!this.contains(slot, needle)) continue
      } else {
        if (start > next.at) {
          const found = block.indexOf(needle, start)
          next.at = found < 0 ? Number.MAX_SAFE_INTEGER : found
          next.searched = start
        }
        if (next.at > last) continue
      }
      marks[slot] = 1
      marked++
    }
    return marked
  }

  #append(slot: number, text: string): void {
    const bytesMax = text.length * 3
    if (this.#end + bytesMax > this.#bytes.length) {
      const grown = Buffer.alloc(Math.ceil((this.#end + bytesMax) * 1.5))
      this.#bytes.copy(grown, 0, 0, this.#end)
      this.#bytes.fill(0)
      this.#bytes = grown
    }
    this.#starts[slot] = this.#end
    const length = this.#bytes.write(text, this.#end)
    this.#lengths[slot] = length
    this.#end += length
  }
}

export const needleOf = (folded: string): Uint8Array => Buffer.from(folded)

type Numbers = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>

/** A copy with room for half as many more. */
export const widened = <Column extends Numbers>(column: Column): Column => {
  const grown = new (column.constructor as new (length: number) => Column)(Math.ceil(column.length * 1.5))
  grown.set(column)
  return grown
}
