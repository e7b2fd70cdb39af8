import { describe, expect, it } from 'vitest'
import { emailFingerprint, normalEmailAddress } from '../../../src/actors/account/email-address.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'

describe('e-mail addresses', () => {
  it('have one spelling', () => {
    expect(normalEmailAddress(' Ann@Example.ORG ')).toBe('ann@example.org')
    for (const wrong of [
      '',
      'ann',
      '@example.org',
      'a b@example.org',
      'a@b@c',
      `${'a'.repeat(65)}@x`,
      'a@b\n.org',
    ])
      expect(normalEmailAddress(wrong)).toBeNull()
  })

  it('have a print of their own in each organisation', async () => {
    const vault = new MemoryVault()
    const prints = await Promise.all(
      ['ten_00aaaaaaaa', 'ten_00bbbbbbbb', null].map((realm) =>
        emailFingerprint({ vault }, realm, 'ann@example.org'),
      ),
    )
    expect(new Set(prints).size).toBe(3)
    expect(prints.join()).not.toContain('ann')
  })
})
