import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WRAPPED_BYTES } from '../../../../src/persistence/vault/key-crypto.ts'
import { openKeyFile } from '../../../../src/persistence/vault/sqlite/key-file.ts'
import { DataKeyTable } from '../../../../src/persistence/vault/sqlite/key-table.ts'
import type { PortableDataKey } from '../../../../src/persistence/vault/sqlite/portable-keys.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const ROUNDS = 1_200

/** mulberry32 */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

describe('table of data keys', () => {
  const folder = temporaryFolder('key-table')

  const key = (record: string, wrapped = randomBytes(WRAPPED_BYTES)): PortableDataKey => ({
    record,
    keyId: randomBytes(6).toString('base64url'),
    tenant: 'ten_00aaaaaaaaaaaaaaaaaa',
    connection: null,
    parentKeyId: null,
    wrapped: wrapped.toString('latin1'),
  })

  it('uses the place of an erased key for the next one', () => {
    const database = openKeyFile(join(folder, 'places.sqlite'))
    const table = new DataKeyTable(database)
    const count = () => database.prepare('SELECT count(*) AS n FROM wrapped_keys').get()
    const [one, two, three] = [key('cre_1'), key('cre_2'), key('cre_3')]
    table.insert(one)
    table.insert(two)
    table.insert(two)
    expect(count()).toEqual({ n: 2 })
    table.erase('cre_1')
    table.insert(three)
    expect(count()).toEqual({ n: 2 })
    expect(table.read('cre_1')).toBe('erased')
    expect(table.read('cre_2')).toEqual([two])
    expect(table.read('cre_3')).toEqual([three])
    expect(() => table.insert({ ...key('cre_4'), wrapped: 'short' })).toThrow(RangeError)
    database.close()
  })

  it(`leaves no byte of an erased key in the file, whatever was written before (seed ${SEED})`, () => {
    const file = join(folder, 'scan.sqlite')
    const database = openKeyFile(file)
    // A small page cache and no syncs: more pages go to and fro, and the test is quick.
    database.pragma('cache_size = -64')
    database.pragma('synchronous = OFF')
    const table = new DataKeyTable(database)
    const below = randomFrom(SEED)
    const living: { record: string; mark: bigint }[] = []
    const erased = new Set<bigint>()
    const change = database.transaction(() => {
      for (let count = below(30); count > 0; count--) {
        const wrapped = randomBytes(WRAPPED_BYTES)
        const record = `cre_${randomBytes(13).toString('hex')}`
        table.insert({ ...key(record, wrapped), connection: below(2) === 0 ? null : 'con_07bbbbbbbbbbbbbb' })
        living.push({ record, mark: wrapped.readBigUInt64LE(26) })
      }
      for (let count = below(living.length > 4_000 ? 50 : 28); count > 0 && living.length > 0; count--) {
        const [victim] = living.splice(below(living.length), 1)
        if (victim === undefined) continue
        table.erase(victim.record)
        erased.add(victim.mark)
      }
    })
    for (let round = 0; round < ROUNDS; round++) {
      change()
      if (round % 300 !== 299) continue
      database.pragma('wal_checkpoint(TRUNCATE)')
      expect(marksIn(readFileSync(file), erased)).toBe(0)
      expect(marksIn(readFileSync(file), new Set(living.map(({ mark }) => mark)))).toBe(living.length)
    }
    expect(erased.size).toBeGreaterThan(10_000)
    database.close()
  })
})

const marksIn = (bytes: Buffer, marks: ReadonlySet<bigint>): number => {
  let found = 0
  for (let offset = 0; offset + 8 <= bytes.length; offset++)
    if (marks.has(bytes.readBigUInt64LE(offset))) found++
  return found
}
