import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openKeyFile } from '../../../../src/persistence/vault/sqlite/key-file.ts'
import {
  leavesOldBytes,
  onlyReads,
  prepareKeyOperations,
} from '../../../../src/persistence/vault/sqlite/key-operations.ts'

describe('operations on the key file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'key-operations-'))
  const database = openKeyFile(join(folder, 'keys.sqlite'))
  afterAll(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })

  it('say of themselves whether they write, and whether old bytes stay behind', () => {
    const names = Object.keys(prepareKeyOperations(database))
    expect(names.filter(onlyReads)).toEqual(['readKeys', 'readTenantKey', 'listTenantKeys', 'currentMaster'])
    expect(names.filter(leavesOldBytes)).toEqual(['eraseKeys', 'rewrapTenantKey'])
  })

  it('that only read change nothing', () => {
    const operations = prepareKeyOperations(database)
    const changes = () => database.pragma('data_version', { simple: true })
    const before = [changes(), database.prepare('SELECT total_changes() AS n').get()]
    operations.readKeys('cre_1')
    operations.readTenantKey('ten_1')
    operations.listTenantKeys(null, 10)
    operations.currentMaster()
    expect([changes(), database.prepare('SELECT total_changes() AS n').get()]).toEqual(before)
  })
})
