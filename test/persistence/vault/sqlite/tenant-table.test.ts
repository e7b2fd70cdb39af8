import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openKeyFile } from '../../../../src/persistence/vault/sqlite/key-file.ts'
import { TenantKeyTable } from '../../../../src/persistence/vault/sqlite/tenant-table.ts'

describe('table of tenant keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tenant-table-'))
  const database = openKeyFile(join(folder, 'keys.sqlite'))
  const table = new TenantKeyTable(database)
  afterAll(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })

  it('takes a key only under the current master key, and only the first of a tenant', () => {
    const key = { tenant: 'ten_1', master: 'm1', wrapped: 'first' }
    expect(table.insert(key)).toEqual({ is: 'stale-master', current: null })
    expect(table.setCurrent(null, 'm1')).toBe(true)
    expect(table.setCurrent(null, 'm2')).toBe(false)
    expect(table.insert(key)).toEqual({ is: 'written' })
    expect(table.insert({ ...key, wrapped: 'other' })).toEqual({ is: 'exists', key })
    expect(table.insert({ tenant: 'ten_2', master: 'm0', wrapped: 'x' })).toEqual({
      is: 'stale-master',
      current: 'm1',
    })
  })

  it('wraps anew only what was read, under the current master key', () => {
    const old = { tenant: 'ten_1', master: 'm1', wrapped: 'first' }
    const next = { tenant: 'ten_1', master: 'm2', wrapped: 'newer' }
    expect(table.rewrap(old, next)).toBe(false)
    expect(table.setCurrent('m1', 'm2')).toBe(true)
    expect(table.rewrap({ ...old, wrapped: 'fir5t' }, next)).toBe(false)
    expect(table.rewrap({ ...old, tenant: 'ten_none' }, next)).toBe(false)
    expect(table.rewrap(old, next)).toBe(true)
    expect(table.rewrap(old, next)).toBe(false)
    expect(table.read('ten_1')).toEqual(next)
  })

  it('lists in order after a tenant', () => {
    for (const tenant of ['ten_3', 'ten_2']) table.insert({ tenant, master: 'm2', wrapped: 'x' })
    expect(table.list(null, 2).map(({ tenant }) => tenant)).toEqual(['ten_1', 'ten_2'])
    expect(table.list('ten_2', 2).map(({ tenant }) => tenant)).toEqual(['ten_3'])
  })
})
