import { describe, expect, it } from 'vitest'
import { addressPrint, normalAddress } from '../../../src/actors/account/email-address.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'

describe('e-mail addresses', () => {
  it('have one spelling', () => {
    expect(normalAddress(' Ann@Example.ORG ')).toBe('ann@example.org')
    for (const wrong of [
      '',
      'ann',
      '@example.org',
      'a b@example.org',
      'a@b@c',
      `${'a'.repeat(65)}@x`,
      'a@b\n.org',
    ])
      expect(normalAddress(wrong)).toBeNull()
  })

  it('have a print of their own in each organisation', async () => {
    const vault = new MemoryVault()
    const prints = await Promise.all(
      ['ten_00aaaaaaaa', 'ten_00bbbbbbbb', null].map((realm) =>
        addressPrint({ vault }, realm, 'ann@example.org'),
      ),
    )
    expect(new Set(prints).size).toBe(3)
    expect(prints.join()).not.toContain('ann')
  })
})
