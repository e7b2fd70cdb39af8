import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openEngine } from '../../../src/persistence/open-engine.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openSqliteStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { type BodiesUnderTest, describeBodies } from './body-suite.ts'
import { describeJournal } from './journal-suite.ts'
import { describeJournalStore, type StoreUnderTest } from './store-suite.ts'

/** Some hundred calls that may wait for others are waited for here, one after the other. */
const WITHOUT_DELAY = { lingerMs: 5 }

const open = async (): Promise<StoreUnderTest> => {
  const folder = temporaryFolder('journal')
  const subject: StoreUnderTest = {
    store: await openSqliteStore(folder, WITHOUT_DELAY),
    reopen: async () => {
      await subject.store[Symbol.asyncDispose]()
      subject.store = await openSqliteStore(folder, WITHOUT_DELAY)
    },
    [Symbol.asyncDispose]: async () => {
      await subject.store[Symbol.asyncDispose]()
    },
  }
  return subject
}

describeJournalStore('SQLite', open)
describeJournal('SQLite', open)

const openBodies = async (folder = temporaryFolder('engine')): Promise<BodiesUnderTest> => {
  const { bodies, [Symbol.asyncDispose]: close } = await openEngine({ engine: 'sqlite', dataFolder: folder })
  return {
    bodies,
    bytes: () =>
      readdirSync(folder)
        .map((file) => readFileSync(join(folder, file), 'latin1'))
        .join(''),
    reopen: async () => {
      await close()
      return openBodies(folder)
    },
    [Symbol.asyncDispose]: close,
  }
}

describeBodies('SQLite', () => openBodies())
