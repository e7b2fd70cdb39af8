import type { StoreCalls } from './store-calls.ts'
import type { AppendOutcome, JournalStore, LogSlot } from './store-port.ts'

/** The session that owns the epoch of a slot; '' when the shard was handed back and has no owner. */
export const ownerOf = (batchId: string): string => batchId.slice(0, batchId.lastIndexOf('/'))
export const batchIdOf = (owner: string, unique: string): string => `${owner}/${unique}`

export type Settled = 'ours' | 'theirs' | 'retired'

/**
 * Repeats the conditional insert in the same slot with the same batch id until the occupant is known, because an
 * attempt whose answer was lost may have been applied, or may still be.
 */
export const settleSlot = async (
  store: JournalStore,
  calls: StoreCalls,
  slot: LogSlot,
  signal: AbortSignal,
): Promise<Settled> => settledAs(slot, await calls.untilAnswered(signal, () => store.append(slot)))

export const settledAs = (slot: LogSlot, outcome: AppendOutcome): Settled => {
  switch (outcome.is) {
    case 'written':
      return 'ours'
    case 'occupied':
      return outcome.batchId === slot.batchId && outcome.epoch === slot.epoch ? 'ours' : 'theirs'
    case 'retired':
      return 'retired'
  }
}
