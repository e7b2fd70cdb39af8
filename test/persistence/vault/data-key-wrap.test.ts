import { describe, expect, it } from 'vitest'
import { KeyGone } from '../../../src/ports/vault.ts'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import { RecordKey } from '../../../src/persistence/vault/record-key.ts'
import { unwrapDataKey, wrapDataKey } from '../../../src/persistence/vault/key-vault.ts'
import { TenantKey } from '../../../src/persistence/vault/tenant-keys.ts'

describe('wrapping of data keys', () => {
  const tenant = new TenantKey('ten_1', newKey())
  const place = { record: 'con_1', keyId: 'abcdEFGH', tenant: 'ten_1', connection: null, parentKeyId: null }
  const root = newKey()

  it('gives the key back under the tenant or the connection it was wrapped with', () => {
    expect(unwrapDataKey(tenant, wrapDataKey(tenant, place, root))).toEqual(root)
    const connection = new RecordKey('con_1', 'ten_1', null, [
      { id: 'above678', root: newKey(), sealing: null },
    ])
    const below = { ...place, record: 'cre_1', connection: 'con_1', parentKeyId: 'above678' }
    const row = wrapDataKey(connection, below, root)
    expect(unwrapDataKey(connection, row)).toEqual(root)
    connection.wipe()
    expect(unwrapDataKey(connection, row)).toBeNull()
    expect(() => wrapDataKey(connection, below, root)).toThrow(KeyGone)
  })

  it('notices a wrapped key that stands in another row or under another tenant', () => {
    const row = wrapDataKey(tenant, place, root)
    const moves = [{ record: 'con_2' }, { keyId: 'other678' }, { tenant: 'ten_2' }, { connection: 'con_9' }]
    for (const move of moves) expect(() => unwrapDataKey(tenant, { ...row, ...move })).toThrow('damaged')
    expect(() => unwrapDataKey(new TenantKey('ten_1', newKey()), row)).toThrow('damaged')
  })
})
