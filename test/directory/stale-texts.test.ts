import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SqliteDirectory } from '../../src/directory/sqlite-directory.ts'
import type { DirectoryRow } from '../../src/ports/directory.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { row } from './directory-rows.ts'

/** Of 20,000 connections, 10,000 of them erased, no label was left either. */
const CONNECTIONS = 2_000
const PAGE = 50
/** So many connections later the holder answers. */
const LATE = 200
/** Without a common divisor with the number of connections, so that every one has its turn, in no order. */
const STEP = 7_001

const idOf = (kind: string, n: number): string => `${kind}_07${String(n).padStart(16, '0')}`
const labelOf = (n: number): string => `canary label ${String(n * STEP).padStart(16, '0')} of somebody`

const connection = (n: number, state: string, finishedAtMs: number | null = null): DirectoryRow =>
  row(idOf('con', n), {
    kind: 'connection',
    createdAtMs: n,
    updatedAtMs: n,
    state,
    filters: { invitationId: ['inv_07aaaaaaaaaa'] },
    searchText: labelOf(n),
    finishedAtMs,
  })

const credential = (n: number, state: string, finishedAtMs: number | null = null): DirectoryRow =>
  row(idOf('cre', n), {
    createdAtMs: n,
    updatedAtMs: n,
    state,
    filters: { connectionId: [idOf('con', n)] },
    finishedAtMs,
  })

/** SQLite moves rows between pages when their neighbours grow, and may leave a copy in the unused part of a page. */
it('no label of an erased connection is left in the file, among records that grow and move each other', () => {
  const file = join(temporaryFolder('stale-texts'), 'directory.sqlite')
  const directory = new SqliteDirectory(file)
  let no = 0
  const write = (rows: readonly DirectoryRow[]): void => directory.write(7, rows, { no: ++no, index: 0 })
  for (let first = 0; first < CONNECTIONS; first += PAGE) {
    const some = Array.from({ length: PAGE }, (_, at) => first + at)
    for (const state of ['request-received', 'response-sent']) write(some.map((n) => connection(n, state)))
    write(some.map((n) => connection(n, 'completed', n)))
    write(some.map((n) => credential(n, 'offer-sent')))
    const late = some.map((n) => n - LATE).filter((n) => n >= 0)
    for (const state of ['request-received', 'credential-issued'])
      write(late.toReversed().map((n) => credential(n, state)))
    write(late.map((n) => credential(n, 'done', n)))
  }
  const erased = Array.from({ length: CONNECTIONS / 2 }, (_, at) => (at * 2 * STEP) % CONNECTIONS)
  for (let at = 0; at < erased.length; at += PAGE)
    write(erased.slice(at, at + PAGE).map((n) => ({ ...connection(n, 'closed', -1 - n), searchText: '' })))
  directory.clear()
  directory[Symbol.dispose]()
  const bytes = readFileSync(file)
  const kept = Array.from({ length: CONNECTIONS }, (_, n) => n).filter((n) => !erased.includes(n))
  expect(erased.filter((n) => bytes.includes(labelOf(n)))).toEqual([])
  expect(kept.filter((n) => !bytes.includes(labelOf(n)))).toEqual([])
})
