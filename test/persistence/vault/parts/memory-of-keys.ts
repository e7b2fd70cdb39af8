import type { JournalBeside } from '../../../../src/persistence/vault/open-vault.ts'
import type { KeyStoreMark } from '../../../../src/persistence/vault/key-store-port.ts'

/** What a journal without anything in it knows of its key store; it lasts as long as the test. */
export const journalBeside = (cassandra: JournalBeside['cassandra'] = null): JournalBeside => {
  let known: KeyStoreMark | null = null
  return {
    cassandra,
    keyStore: {
      read: async () => known,
      record: async (mark) => {
        if (known === null || (mark.id === known.id && mark.count > known.count)) known = mark
      },
    },
  }
}
