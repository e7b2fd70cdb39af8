import type { StoredEvent, StoredSnapshot } from '../../../src/ports/journal.ts'
import { type Checkpoint, type JournalReads, type LogSlot } from '../../../src/persistence/store-port.ts'

export const SEGMENT_SLOTS = 64

/** What a journal holds, as a test writes it down: sound or damaged, which no engine would let itself be made. */
export type Written = {
  readonly slots: readonly LogSlot[]
  readonly events: Readonly<Record<string, readonly StoredEvent[]>>
  readonly snapshots?: Readonly<Record<string, StoredSnapshot>>
  readonly checkpoint?: Checkpoint | null
}

export const checkpointAt = (no: number): Checkpoint => ({
  copiedNo: no,
  publishedNo: no,
  projectedNo: no,
  timerAckMs: 0,
})

export const readsOf = ({ slots, events, snapshots = {}, checkpoint = null }: Written): JournalReads => ({
  readLog: async (_, fromNo, limit) => slots.filter(({ no }) => no >= fromNo).slice(0, limit),
  readEvents: async (actor, afterSeq) => (events[actor] ?? []).filter(({ seq }) => seq > afterSeq),
  readSnapshot: async (actor) => snapshots[actor] ?? null,
  readCheckpoint: async () => checkpoint,
  segmentSlots: SEGMENT_SLOTS,
  firstSegment: async () => Math.floor((slots[0]?.no ?? SEGMENT_SLOTS) / SEGMENT_SLOTS),
  timersDue: async () => [],
  listActors: async (_, after, limit) =>
    Object.keys(events)
      .sort()
      .filter((actor) => after === null || actor > after)
      .slice(0, limit),
  readPosition: async () => null,
  sizes: async () => [],
  [Symbol.asyncDispose]: async () => {},
})

export const eventsUpTo = (seq: number): readonly StoredEvent[] =>
  Array.from({ length: seq }, (_, index) => ({
    seq: index + 1,
    commandId: `command-${index + 1}`,
    data: `{"type":"Counted","value":${index + 1}}`,
  }))
