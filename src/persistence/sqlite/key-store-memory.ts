import type { KeyStoreMemory } from '../vault/key-store-mark.ts'
import type { SqliteJournalStore } from './journal-store.ts'

export const sqliteKeyStoreMemory = ({
  writer,
  reader,
}: Pick<SqliteJournalStore, 'writer' | 'reader'>): KeyStoreMemory => ({
  read: () => reader.call('readKeyStore'),
  record: ({ id, count }) => writer.call('recordKeyStore', id, count),
})
