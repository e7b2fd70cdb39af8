import { CassandraJournalStore } from './cassandra/journal-store.ts'
import type { EngineSettings } from './engine-settings.ts'
import { SqliteJournalReads } from './sqlite/journal-reads.ts'
import type { JournalReads } from './store-port.ts'

/** The journal for looking at, also while a service runs on it. */
export const openForInspection = (settings: EngineSettings): Promise<JournalReads> =>
  settings.engine === 'sqlite'
    ? SqliteJournalReads.openReads(settings.dataFolder)
    : CassandraJournalStore.open(settings.cassandra)
