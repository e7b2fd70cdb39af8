import type { KeyStoreMemory } from '../vault/key-store-mark.ts'
import type { KeyStoreMark } from '../vault/key-store-port.ts'
import { openExistingReader, type SqliteJournalStore } from './journal-store.ts'

export const sqliteKeyStoreMemory = ({
  writer,
  reader,
}: Pick<SqliteJournalStore, 'writer' | 'reader'>): KeyStoreMemory => ({
  read: () => reader.call('readKeyStore'),
  record: ({ id, count }) => writer.call('recordKeyStore', id, count),
})

/** Beside a service that may run; null where there is no journal. */
export const readSqliteMark = async (folder: string): Promise<KeyStoreMark | null> => {
  const reader = await openExistingReader(folder)
  if (reader === null) return null
  try {
    return await reader.call('readKeyStore')
  } finally {
    await reader[Symbol.asyncDispose]()
  }
}
