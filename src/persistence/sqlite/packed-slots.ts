import type { LogSlot } from '../store-port.ts'
import { shapeOf } from './slot-shape.ts'

/**
 * Slots as two flat lists: what crosses the thread boundary is copied value by value, and a nested object costs several
 * times what its strings cost. Numbers of a slot: shard, no, epoch, entries (OPEN for an open record), events, then the
 * sequence of each entry. Texts: batch id, node or shape, then actor and command of each entry, then the events.
 */
export type PackedSlots = { readonly numbers: Float64Array; readonly texts: readonly string[] }

const OPEN = -1
const NUMBERS_BEFORE_ENTRIES = 5
const TEXTS_BEFORE_ENTRIES = 2

export class SlotPacker {
  #numbers: number[] = []
  #texts: string[] = []

  add({ shard, no, epoch, batchId, record }: LogSlot): void {
    if (record.kind === 'open') {
      this.#numbers.push(shard, no, epoch, OPEN, 0)
      this.#texts.push(batchId, record.node)
      return
    }
    const { entries } = record
    const empty = entries.find((entry) => entry.events.length === 0)
    if (empty !== undefined) throw new RangeError(`an entry of ${empty.actor} has no event`)
    const events = entries.reduce((sum, entry) => sum + entry.events.length, 0)
    this.#numbers.push(shard, no, epoch, entries.length, events)
    this.#texts.push(batchId, shapeOf(entries) ?? '')
    for (const entry of entries) {
      this.#numbers.push(entry.seq)
      this.#texts.push(entry.actor, entry.commandId ?? '')
    }
    for (const entry of entries) for (const event of entry.events) this.#texts.push(event)
  }

  /** Everything since the last time. */
  take(): PackedSlots {
    const packed = { numbers: Float64Array.from(this.#numbers), texts: this.#texts }
    this.#numbers = []
    this.#texts = []
    return packed
  }
}

/** One slot in place: nothing is copied out but what is asked for. */
export class PackedSlot {
  readonly shard: number
  readonly no: number
  readonly epoch: number
  readonly batchId: string
  /** Null for a batch. */
  readonly node: string | null
  readonly shape: string | null
  readonly entryCount: number
  readonly eventCount: number
  readonly #packed: PackedSlots
  readonly #numbersAt: number
  readonly #textsAt: number

  constructor(packed: PackedSlots, numbersAt: number, textsAt: number) {
    const { numbers, texts } = packed
    const [shard = 0, no = 0, epoch = 0, entries = 0, events = 0] = numbers.subarray(numbersAt, numbersAt + 5)
    const [batchId = '', nodeOrShape = ''] = [texts[textsAt], texts[textsAt + 1]]
    this.shard = shard
    this.no = no
    this.epoch = epoch
    this.batchId = batchId
    this.node = entries === OPEN ? nodeOrShape : null
    this.shape = entries === OPEN || nodeOrShape === '' ? null : nodeOrShape
    this.entryCount = Math.max(0, entries)
    this.eventCount = events
    this.#packed = packed
    this.#numbersAt = numbersAt + NUMBERS_BEFORE_ENTRIES
    this.#textsAt = textsAt + TEXTS_BEFORE_ENTRIES
  }

  seq(entry: number): number {
    return this.#packed.numbers[this.#numbersAt + entry] ?? 0
  }

  actor(entry: number): string {
    return this.#packed.texts[this.#textsAt + 2 * entry] ?? ''
  }

  commandId(entry: number): string | null {
    return this.#packed.texts[this.#textsAt + 2 * entry + 1] || null
  }

  event(index: number): string {
    return this.#packed.texts[this.#textsAt + 2 * this.entryCount + index] ?? ''
  }

  get numbersEnd(): number {
    return this.#numbersAt + this.entryCount
  }

  get textsEnd(): number {
    return this.#textsAt + 2 * this.entryCount + this.eventCount
  }
}

export const unpackSlots = (packed: PackedSlots): readonly PackedSlot[] => {
  const slots: PackedSlot[] = []
  for (let numbersAt = 0, textsAt = 0; numbersAt < packed.numbers.length; ) {
    const slot = new PackedSlot(packed, numbersAt, textsAt)
    slots.push(slot)
    numbersAt = slot.numbersEnd
    textsAt = slot.textsEnd
  }
  return slots
}
