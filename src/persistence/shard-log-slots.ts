import type { Attempts } from './store-calls.ts'
import type { AppendOutcome, JournalStore, LogSlot } from './store-port.ts'

/** Whose epoch it is; '' when the shard was handed back and is nobody's. */
export const ownerOf = (batchId: string): string => batchId.slice(0, batchId.lastIndexOf('/'))
export const batchIdOf = (owner: string, unique: string): string => `${owner}/${unique}`

export type Settled = 'ours' | 'anothers' | 'retired'

/**
 * The conditional insert, repeated in the same slot with the same batch id until the occupant is known: an attempt
 * whose answer was lost may have been applied, or may still be.
 */
export const settleSlot = async (
  store: JournalStore,
  attempts: Attempts,
  slot: LogSlot,
  signal: AbortSignal,
): Promise<Settled> => settledAs(slot, await attempts.untilAnswered(signal, () => store.append(slot)))

export const settledAs = (slot: LogSlot, outcome: AppendOutcome): Settled => {
  switch (outcome.is) {
    case 'written':
      return 'ours'
    case 'occupied':
      return outcome.batchId === slot.batchId && outcome.epoch === slot.epoch ? 'ours' : 'anothers'
    case 'retired':
      return 'retired'
  }
}
