import { statSync } from 'node:fs'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import BetterSqlite3 from 'better-sqlite3'
import { WRAPPED_BYTES } from '../../../../src/persistence/vault/key-crypto.ts'
import type { ThreadCall } from '../../../../src/persistence/sqlite/thread-messages.ts'
import { openKeyFile } from '../../../../src/persistence/vault/sqlite/key-file.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { openKeyFileServer } from '../../../../src/persistence/vault/sqlite/key-file-server.ts'

const insert = (record: string, wrapped = randomBytes(WRAPPED_BYTES).toString('latin1')) =>
  [
    'insertKey',
    { record, keyId: 'abcdEFGH', tenant: 't', connection: null, parentKeyId: null, wrapped },
  ] as const

type KeyFileServer = ReturnType<typeof openKeyFileServer>

/** Answers by index, as the other side of the thread puts them in order. */
const run = (server: KeyFileServer, calls: readonly ThreadCall[]) => {
  const { values, failures } = server.run({ slots: [], calls })
  const byIndex = new Map(values)
  return { values: calls.map((_, index) => byIndex.get(index)), failures }
}

describe('server of the key file', () => {
  let folder: string
  let file: string
  let server: KeyFileServer

  beforeEach(() => {
    folder = temporaryFolder('key-server')
    file = join(folder, 'keys.sqlite')
    server = openKeyFileServer(file)
  })
  afterEach(() => {
    server.close()
  })

  it('answers a group in order', () => {
    const { values, failures } = run(server, [insert('cre_1'), ['readKeys', 'cre_1'], ['readKeys', 'cre_2']])
    expect(failures).toEqual([])
    expect(values).toEqual([[], [expect.objectContaining({ record: 'cre_1' })], []])
  })

  it('empties its log when that is asked for after an erasure', () => {
    run(server, [insert('cre_1')])
    expect(run(server, [['eraseKeys', 'cre_1'], insert('cre_2')]).failures).toEqual([])
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    expect(run(server, [['cleanLog']]).failures).toEqual([])
    expect(statSync(`${file}-wal`).size).toBe(0)
    expect(run(server, [['readKeys', 'cre_2']]).values).toEqual([
      [expect.objectContaining({ record: 'cre_2' })],
    ])
  })

  it('empties its log two seconds after erasures that nobody waits for, in spite of a reader meanwhile', () => {
    vi.useFakeTimers()
    server.close()
    server = openKeyFileServer(file)
    run(server, [insert('cre_1'), insert('cre_2')])
    const reader = new BetterSqlite3(file, { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM data_keys')
    run(server, [['eraseKeys', 'cre_1']])
    vi.advanceTimersByTime(1_000)
    run(server, [['eraseKeys', 'cre_2']])
    vi.advanceTimersByTime(1_500)
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(0)
    reader.close()
    vi.advanceTimersByTime(2_000)
    expect(statSync(`${file}-wal`).size).toBe(0)
    vi.useRealTimers()
  })

  it('empties the log that a killed process left', () => {
    vi.useFakeTimers()
    run(server, [insert('cre_1')])
    const other = openKeyFileServer(file)
    vi.advanceTimersByTime(2_500)
    expect(statSync(`${file}-wal`).size).toBe(0)
    other.close()
    vi.useRealTimers()
  })

  it('says that the log is not clean while another process keeps it in use', () => {
    run(server, [insert('cre_1')])
    const reader = new BetterSqlite3(file, { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM data_keys')
    const { failures } = run(server, [['eraseKeys', 'cre_1'], insert('cre_2'), ['cleanLog']])
    expect(failures).toEqual([
      [2, { is: 'unknown', message: expect.stringContaining('another process') as string }],
    ])
    reader.exec('COMMIT')
    expect(run(server, [['cleanLog']]).failures).toEqual([])
    expect(statSync(`${file}-wal`).size).toBe(0)
    reader.close()
  })

  it('does not keep new keys waiting while another process reads the file', () => {
    run(server, [insert('cre_1'), ['eraseKeys', 'cre_1']])
    const reader = new BetterSqlite3(file, { readonly: true })
    reader.exec('BEGIN; SELECT count(*) FROM data_keys')
    const begunMs = performance.now()
    expect(run(server, [['cleanLog']]).failures).toHaveLength(1)
    expect(run(server, [insert('cre_2')]).values).toEqual([[]])
    expect(performance.now() - begunMs).toBeLessThan(500)
    reader.close()
  })

  it('waits for a rotation that commits as long as before the log was emptied', () => {
    let timeout = (): unknown => null
    const other = openKeyFileServer(file, (name) => {
      const database = openKeyFile(name)
      timeout = () => database.pragma('busy_timeout', { simple: true })
      return database
    })
    run(other, [insert('cre_1'), ['eraseKeys', 'cre_1'], ['cleanLog']])
    expect(timeout()).toBe(1_000)
    other.close()
  })

  it('fails a wrong call alone, not its neighbours', () => {
    const { values, failures } = run(server, [
      insert('cre_1'),
      insert('cre_2', 'short'),
      ['readKeys', 'cre_1'],
    ])
    expect(failures).toEqual([[1, { is: 'defect', message: expect.stringContaining('60 bytes') as string }]])
    expect(values[2]).toHaveLength(1)
  })

  it('refuses work when the disk is full and goes on when there is room again', () => {
    let release = () => {}
    const limited = openKeyFileServer(file, (name) => {
      const database = openKeyFile(name)
      const pages = Number(database.pragma('page_count', { simple: true }))
      database.pragma(`max_page_count = ${pages + 2}`)
      release = () => database.pragma(`max_page_count = ${pages + 10_000}`)
      return database
    })
    const many = Array.from({ length: 500 }, (_, index) => insert(`cre_${index}`))
    const { failures } = run(limited, many)
    expect(failures).toHaveLength(500)
    expect(failures[0]?.[1]).toMatchObject({
      is: 'not-applied',
      message: expect.stringContaining('full') as string,
    })
    expect(run(limited, [['readKeys', 'cre_0']]).values).toEqual([[]])
    release()
    expect(run(limited, many).failures).toEqual([])
    limited.close()
  })
})
