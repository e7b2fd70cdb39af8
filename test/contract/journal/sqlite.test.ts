import { openEngine } from '../../../src/persistence/open-engine.ts'
import { SqliteJournalStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { describeBodies } from './body-suite.ts'
import { describeJournal } from './journal-suite.ts'
import { describeLeases } from './lease-suite.ts'
import { describeJournalStore, type StoreUnderTest } from './store-suite.ts'

const open = async (): Promise<StoreUnderTest> => {
  const folder = temporaryFolder('journal')
  const subject: StoreUnderTest = {
    store: await SqliteJournalStore.open(folder),
    reopen: async () => {
      await subject.store[Symbol.asyncDispose]()
      subject.store = await SqliteJournalStore.open(folder)
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

describeLeases('SQLite', openWhole, { rivals: false })
describeBodies('SQLite', openWhole)
