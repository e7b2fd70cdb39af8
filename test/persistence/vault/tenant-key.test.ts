import { describe, expect, it } from 'vitest'
import { newKey } from '../../../src/persistence/vault/key-crypto.ts'
import { TenantKey } from '../../../src/persistence/vault/tenant-keys.ts'

describe('tenant key', () => {
  const root = newKey()
  const tenant = new TenantKey('ten_1', root)

  it('opens its secrets only in their place', () => {
    const sealed = tenant.seal('private key', 'did')
    expect(new TenantKey('ten_1', root).open(sealed, 'did')).toBe('private key')
    expect(() => tenant.open(sealed, 'definition')).toThrow('altered or moved')
    expect(() => new TenantKey('ten_2', root).open(sealed, 'did')).toThrow('altered or moved')
    expect(() => tenant.open(`A${sealed.slice(1)}`, 'did')).toThrow('altered or moved')
  })

  it('fingerprints the same text alike, and otherwise for every tenant', () => {
    expect(tenant.fingerprint('{"a":1}')).toBe(new TenantKey('ten_1', root).fingerprint('{"a":1}'))
    expect(tenant.fingerprint('{"a":1}')).not.toBe(tenant.fingerprint('{"a":2}'))
    expect(tenant.fingerprint('{"a":1}')).not.toBe(new TenantKey('ten_1', newKey()).fingerprint('{"a":1}'))
  })

  it('wraps each record under a key of its own', () => {
    expect(tenant.wrappingKey('con_1')).not.toEqual(tenant.wrappingKey('con_2'))
  })
})
