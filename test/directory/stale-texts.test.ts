import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { row } from './directory-rows.ts'

/** Where texts stood in the rows themselves, some of so many stayed. */
const CONNECTIONS = 4_000
const PAGE = 50
/** So many connections later a holder may still answer. */
const LATE = 40

let state = 7
/** The same in every run. */
const below = (limit: number): number => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
  return Math.floor((state / 2_147_483_648) * limit)
}

const labelOf = (n: number): string =>
  `canary ${String(n * 7_001).padStart(12, '0')} ${'of somebody '.repeat(n % 4)}`.trim()

type Known = { grown: number; updated: number }

/** A row that comes into more states grows, and makes SQLite move its neighbours. */
const connection = (n: number, { grown, updated }: Known): DirectoryRow =>
  row(`con_07${String(n).padStart(16, '0')}`, {
    kind: 'connection',
    createdAtMs: n,
    updatedAtMs: n + updated,
    state: 'completed',
    filters: { invitationId: ['inv_07aaaaaaaaaa'.slice(0, 4 + (grown % 12))] },
    searchText: labelOf(n),
    steps: Array.from({ length: grown }, (_, at) => [`state-${at}`, n * 10 ** (at % 4)] as const),
  })

/** SQLite moves rows between pages when their neighbours grow, and may leave a copy in the unused part of a page. */
it('no label of an erased connection is left in the file, among records that grow and move each other', () => {
  const file = join(temporaryFolder('stale-texts'), 'directory.sqlite')
  const directory = new SqliteDirectory(file)
  let no = 0
  const write = (rows: readonly DirectoryRow[]): void => directory.write(7, rows, { no: ++no, index: 0 })
  const known: Known[] = []
  for (let first = 0; first < CONNECTIONS; first += PAGE) {
    const rows: DirectoryRow[] = []
    for (let n = first; n < first + PAGE; n++) {
      known.push({ grown: 0, updated: 0 })
      rows.push(connection(n, { grown: 0, updated: 0 }))
      for (let time = 0; time < 3; time++) {
        const late = Math.max(0, n - below(LATE))
        const now = { grown: 1 + below(5), updated: time }
        known[late] = now
        rows.push(connection(late, now))
      }
    }
    write(rows)
  }
  const all = known.map((_, n) => n)
  const erased = all.filter((n) => n % 4 !== 1)
  for (let at = 0; at < erased.length; at += PAGE)
    write(
      erased
        .slice(at, at + PAGE)
        .map((n) => ({ ...connection(n, known[n] ?? { grown: 0, updated: 0 }), searchText: '' })),
    )
  directory.clear()
  directory[Symbol.dispose]()
  const bytes = readFileSync(file)
  const isThere = (n: number): boolean => bytes.includes(labelOf(n))
  expect(erased.filter(isThere)).toEqual([])
  expect(all.filter((n) => n % 4 === 1 && !isThere(n))).toEqual([])
})
