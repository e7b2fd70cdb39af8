import { describe, expect, it } from 'vitest'
import { offerText } from '../../../src/actors/credential/offer-text.ts'
import { issuing } from '../exchange-world.ts'

describe('the AnonCreds offer', () => {
  it('is the same whenever it is made for one nonce', () => {
    expect(offerText(issuing, '42')).toBe(offerText(issuing, '42'))
    expect(JSON.parse(offerText(issuing, '42'))).toEqual({
      schema_id: 'D:2:degree:1.0',
      cred_def_id: 'D:3:CL:1:default',
      key_correctness_proof: { c: '1' },
      nonce: '42',
    })
  })
})
