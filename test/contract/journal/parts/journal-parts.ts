import { soleOwner, type Journal, type StoredEvent } from '../../../../src/ports/journal.ts'
import { createRuntime } from '../../../../src/host/runtime.ts'
import { openJournal } from '../../../../src/persistence/shard-log.ts'
import { shardLogDefaults, type ShardLogSettings } from '../../../../src/persistence/shard-log-settings.ts'
import type { JournalStore } from '../../../../src/persistence/store-port.ts'
import { uniqueText } from './slots.ts'

/** Quick to write behind, so that every part of the protocol runs within a few batches. */
const SETTINGS: ShardLogSettings = {
  ...shardLogDefaults,
  retryFirstMs: 5,
  retryMaxMs: 40,
  copyLingerMs: 20,
  copySlotsMax: 4,
  checkpointEvents: 4,
  checkpointIntervalMs: 20,
  timerAckMarginMs: 0,
  timerAckIntervalMs: 0,
}

/** As a process that was just started has it; whoever wrote before is gone. */
export const startJournal = (
  store: JournalStore,
  settings: Partial<ShardLogSettings> = {},
): Journal & AsyncDisposable =>
  openJournal(store, createRuntime(), { ...SETTINGS, ...settings }, soleOwner(`node-${uniqueText()}`))

/** What a caller of the journal does with a retryable error. */
export const patiently = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries++) {
    try {
      return await call()
    } catch (error) {
      if ((error as { retryable?: boolean }).retryable !== true || tries === 50) throw error
    }
  }
}

export const seqsOf = (events: readonly StoredEvent[]): readonly number[] => events.map((event) => event.seq)

export const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 1)
