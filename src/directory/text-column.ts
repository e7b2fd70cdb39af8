const encoder = new TextEncoder()

/** How the search goes on is decided anew after so many, by whether one in so many was a hit. */
const STRETCH_SLOTS = 8_192
const FEW = 8

/** The texts of many records one after the other in one block of memory, which a search walks through. */
export class TextColumn {
  #bytes = new Uint8Array(4_096)
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
    this.#starts.copyWithin(slot + 1, slot, this.#count)
    this.#lengths.copyWithin(slot + 1, slot, this.#count)
    this.#count += 1
    this.#lengths[slot] = 0
    this.#store(slot, encoder.encode(text))
  }

  /** What was there is overwritten: it may be what somebody wanted erased. */
  replace(slot: number, text: string): void {
    const bytes = encoder.encode(text)
    const start = this.#starts[slot] ?? 0
    const length = this.#lengths[slot] ?? 0
    this.#bytes.fill(0, start, start + length)
    if (bytes.length > length) return this.#store(slot, bytes)
    this.#bytes.set(bytes, start)
    this.#lengths[slot] = bytes.length
  }

  /**
   * Marks the slots from `low` to before `high` that hold the needle, and tells how many. Where hits are rare, the
   * library's search runs ahead through the whole block; where they are not, each text is looked at by itself.
   */
  mark(needle: Uint8Array, low: number, high: number, marks: Uint8Array): number {
    let marked = 0
    for (let from = low; from < high; from += STRETCH_SLOTS) {
      const to = Math.min(high, from + STRETCH_SLOTS)
      const few = marked * FEW <= from - low
      marked += few ? this.#markFew(needle, from, to, marks) : this.#markMany(needle, from, to, marks)
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

  #markFew(needle: Uint8Array, low: number, high: number, marks: Uint8Array): number {
    const block = Buffer.from(this.#bytes.buffer, 0, this.#end)
    let marked = 0
    // `hit` is the first at or after `searched`.
    let searched = 0
    let hit = -1
    for (let slot = low; slot < high; slot++) {
      const start = this.#starts[slot] ?? 0
      const last = start + (this.#lengths[slot] ?? 0) - needle.length
      if (start < searched) {
        // A text that was replaced by a longer one stands elsewhere.
        if (!this.contains(slot, needle)) continue
      } else {
        if (start > hit) {
          hit = block.indexOf(needle, start)
          if (hit < 0) hit = Number.MAX_SAFE_INTEGER
          searched = start
        }
        if (hit > last) continue
      }
      marks[slot] = 1
      marked++
    }
    return marked
  }

  #store(slot: number, bytes: Uint8Array): void {
    if (this.#end + bytes.length > this.#bytes.length) {
      const grown = new Uint8Array(Math.ceil((this.#end + bytes.length) * 1.5))
      grown.set(this.#bytes.subarray(0, this.#end))
      this.#bytes.fill(0)
      this.#bytes = grown
    }
    this.#bytes.set(bytes, this.#end)
    this.#starts[slot] = this.#end
    this.#lengths[slot] = bytes.length
    this.#end += bytes.length
  }
}

export const needleOf = (folded: string): Uint8Array => encoder.encode(folded)

const widened = (column: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const grown = new Uint32Array(Math.ceil(column.length * 1.5))
  grown.set(column)
  return grown
}
