import BetterSqlite3 from 'better-sqlite3'
import { afterAll, expect, it } from 'vitest'
import { setAndVerify } from '../../../src/persistence/sqlite/verified-pragma.ts'

const database = new BetterSqlite3(':memory:')
afterAll(() => void database.close())

it('a pragma is set', () => {
  setAndVerify(database, 'synchronous', 'OFF', 0)
  expect(database.pragma('synchronous', { simple: true })).toBe(0)
})

it('a pragma that SQLite does not follow is an error', () => {
  const setWal = () => setAndVerify(database, 'journal_mode', 'WAL', 'wal')
  expect(setWal).toThrow('SQLite runs journal_mode=memory instead of WAL')
})
