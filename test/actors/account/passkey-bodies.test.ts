import { describe, expect, it } from 'vitest'
import { passkeyRegistrationBody, passkeyAssertionBody } from '../../../src/actors/account/passkey-bodies.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'
import { softwareAuthenticator } from './software-authenticator.ts'

describe('what browsers send of passkeys', () => {
  const device = softwareAuthenticator('https://issuer.example')

  it('is taken with the fields that browsers add', () => {
    const made = device.make('challenge', 'issuer.example')
    const more = {
      ...made,
      response: { ...made.response, publicKeyAlgorithm: -7 },
      authenticatorAttachment: 'platform',
    }
    expect(compileSchema(passkeyRegistrationBody, 'the body')(more)).toBeNull()
    expect(
      compileSchema(passkeyAssertionBody, 'the body')(device.use('challenge', 'issuer.example')),
    ).toBeNull()
  })

  it('is refused when something is missing', () => {
    expect(compileSchema(passkeyRegistrationBody, 'the body')(device.use('c', 'issuer.example'))).toContain(
      'attestationObject',
    )
    expect(compileSchema(passkeyAssertionBody, 'the body')({ id: 'x' })).not.toBeNull()
  })
})
