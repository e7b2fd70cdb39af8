import { openEngine } from '../../../src/persistence/open-engine.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openSqliteStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { describeBodies } from './body-suite.ts'
import { describeJournal } from './journal-suite.ts'
import { describeJournalStore, type StoreUnderTest } from './store-suite.ts'

const open = async (): Promise<StoreUnderTest> => {
  const folder = temporaryFolder('journal')
  const subject: StoreUnderTest = {
    store: await openSqliteStore(folder),
    reopen: async () => {
      await subject.store[Symbol.asyncDispose]()
      subject.store = await openSqliteStore(folder)
    },
    [Symbol.asyncDispose]: async () => {
      await subject.store[Symbol.asyncDispose]()
    },
  }
  return subject
}

describeJournalStore('SQLite', open)
describeJournal('SQLite', open)

const openWhole = async () => {
  const folder = temporaryFolder('engine')
  const engine = await openEngine({ engine: 'sqlite', dataFolder: folder })
  return {
    ...engine,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]()
    },
  }
}

describeBodies('SQLite', openWhole)
