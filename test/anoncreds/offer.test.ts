import { CredentialOffer } from '@hyperledger/anoncreds-nodejs'
import { describe, expect, it } from 'vitest'
import { parse } from '../../native/campaign/wallet.ts'
import { createOffer } from '../../src/anoncreds/offer.ts'

const input = {
  schemaId: 'did:example:issuer/schema',
  credentialDefinitionId: 'did:example:issuer/definition',
  keyCorrectnessProof: '{"c":"1","xz_cap":"2","xr_cap":[["master_secret","3"]]}',
}

describe('an offer', () => {
  it('is read by the library', () => {
    const offer = CredentialOffer.fromJson(parse(createOffer(input)))
    expect(offer.toJson()).toMatchObject({
      schema_id: input.schemaId,
      cred_def_id: input.credentialDefinitionId,
    })
    offer.handle.clear()
  })

  it('has a nonce of at most 80 bits that differs every time', () => {
    const nonces = Array.from(
      { length: 100 },
      () => (JSON.parse(createOffer(input)) as { nonce: string }).nonce,
    )
    expect(new Set(nonces).size).toBe(100)
    for (const nonce of nonces) expect(BigInt(nonce)).toBeLessThan(1n << 80n)
  })
})
