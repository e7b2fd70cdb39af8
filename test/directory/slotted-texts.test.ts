import BetterSqlite3 from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { isForSlot, SlottedTexts } from '../../src/directory/slotted-texts.ts'
import { SLOTS } from '../../src/directory/table-definitions.ts'

const opened = () => {
  const database = new BetterSqlite3(':memory:')
  onTestFinished(() => void database.close())
  database.exec(SLOTS)
  const shown = (): readonly unknown[] => database.prepare('SELECT slot, text FROM texts').raw().all()
  return { texts: new SlottedTexts(database), shown }
}
const lines = (text: string, room: number): string => text.padEnd(room, '\n')

it('a text that takes the same room is overwritten in its place', () => {
  const { texts, shown } = opened()
  const slot = texts.put(null, 'Alice')
  expect(texts.put(slot, 'Bob')).toBe(slot)
  expect(shown()).toEqual([[1, lines('Bob', 32)]])
})

it('a text that outgrows its room goes to another slot, and its old one is blank and taken by the next', () => {
  const { texts, shown } = opened()
  const first = texts.put(null, 'Alice')
  const longer = 'A'.repeat(33)
  expect(texts.put(first, longer)).toBe(2)
  expect(shown()).toEqual([
    [1, lines('', 32)],
    [2, lines(longer, 64)],
  ])
  expect(texts.put(null, 'Carol')).toBe(1)
  expect(shown()[0]).toEqual([1, lines('Carol', 32)])
})

it('an empty text needs no slot, and frees the one that it had', () => {
  const { texts, shown } = opened()
  expect(texts.put(null, '')).toBeNull()
  const slot = texts.put(null, 'Alice')
  expect(texts.put(slot, '')).toBeNull()
  expect(shown()).toEqual([[1, lines('', 32)]])
})

it('rooms are of bytes, not of letters', () => {
  const { texts, shown } = opened()
  texts.put(null, 'é'.repeat(17))
  expect(shown()).toEqual([[1, `${'é'.repeat(17)}${'\n'.repeat(30)}`]])
})

it.each([
  ['a name beside the external id', { search: 'ext\nalice', externalId: 'ext' }, true],
  ['a name alone', { search: 'alice', externalId: null }, true],
  ['nothing', { search: '', externalId: null }, false],
  ['the external id alone', { search: 'ext', externalId: 'ext' }, false],
  ['the id of the record', { search: 'con_1', externalId: null }, false],
  ['what passes', { search: '\ncon_2\n', externalId: null, isPassing: true }, false],
])('%s: whether it stands in a slot', (_what, row, expected) => {
  expect(isForSlot({ id: 'con_1', isPassing: false, ...row })).toBe(expected)
})
