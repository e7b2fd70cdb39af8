import { describe, expect, it } from 'vitest'
import { createKeyPair, didKeyOf } from '../../src/didcomm/keys.ts'
import { openSignedAttachment, signAttachment } from '../../src/didcomm/signed-attachment.ts'

describe('a signed attachment', () => {
  const signer = createKeyPair()
  const attachment = signAttachment('a', 'payload', null, signer)

  it('gives its payload and who signed it', () => {
    expect(openSignedAttachment(attachment)).toEqual({
      payload: 'payload',
      signerKey: signer.publicKeyBase58,
    })
  })

  it('is refused with another payload, another signer or another algorithm', () => {
    const { data } = attachment
    const base64 = Buffer.from('other').toString('base64url')
    const kid = didKeyOf(createKeyPair().publicKeyBase58)
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    expect(openSignedAttachment({ data: { ...data, base64 } })).toBeNull()
    expect(openSignedAttachment({ data: { ...data, jws: { ...data.jws, header: { kid } } } })).toBeNull()
    expect(openSignedAttachment({ data: { ...data, jws: { ...data.jws, protected: none } } })).toBeNull()
    for (const shape of [null, undefined, 5, {}, { data: {} }, { data: { base64: 'x', jws: [] } }]) {
      expect(openSignedAttachment(shape)).toBeNull()
    }
  })
})
