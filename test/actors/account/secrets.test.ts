import { describe, expect, it } from 'vitest'
import { TokenTags } from '../../../src/actors/tokens.ts'
import {
  hashOfRecoveryCode,
  newAccountToken,
  newRecoveryCodes,
  readAccountToken,
} from '../../../src/actors/account/secrets.ts'

const tags = new TokenTags(Buffer.alloc(32, 1))

describe('tokens of an account', () => {
  it('name the account and hash to what is kept', () => {
    const { token, hash } = newAccountToken(tags, 'session', 'acc_00aaaaaaaa')
    expect(readAccountToken(tags, 'session', token)).toEqual({ account: 'acc_00aaaaaaaa', hash })
    expect(token).not.toContain(hash)
  })

  it('that cannot be are asked of nobody', () => {
    const { token } = newAccountToken(tags, 'session', 'acc_00aaaaaaaa')
    for (const wrong of [
      '',
      token.slice(1),
      `${token}x`,
      `${token}.x`,
      token.replace('acc', 'ten'),
      'acc_zz',
    ])
      expect(readAccountToken(tags, 'session', wrong)).toBeNull()
  })
})

it('a token of an account is good for what it was made for alone', () => {
  const { token } = newAccountToken(tags, 'invitation', 'acc_00aaaaaaaa')
  expect(readAccountToken(tags, 'invitation', token)).not.toBeNull()
  for (const purpose of ['session', 'sign-in'] as const)
    expect(readAccountToken(tags, purpose, token)).toBeNull()
})

describe('recovery codes', () => {
  it('are ten different ones, read however they are typed', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([a-hj-km-np-z2-9]{4}-){3}[a-hj-km-np-z2-9]{4}$/)
    const [code = ''] = codes
    expect(hashOfRecoveryCode(` ${code.toUpperCase().replaceAll('-', ' ')}`)).toBe(hashOfRecoveryCode(code))
  })
})
