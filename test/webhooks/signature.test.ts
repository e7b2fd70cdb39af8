import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { signatureOf } from '../../src/webhooks/signature.ts'

const body = JSON.stringify({ id: 'evt_1', type: 'proof.state_changed', data: { name: 'Åsa 🦊' } })
const signature = Stripe.webhooks.signature

/** Written by others for the same format; throws when it does not hold. */
const verify = (header: string, secret: string, given = body): boolean =>
  signature?.verifyHeader(given, header, secret, 300) ?? false

describe('the signature of a delivery', () => {
  it('is what npm stripe takes for genuine', () => {
    expect(verify(signatureOf(body, ['svc_whsec_new'], Date.now()), 'svc_whsec_new')).toBe(true)
  })

  it('has the new secret first and the previous second after a rotation; either one verifies it', () => {
    const now = Date.now()
    const header = signatureOf(body, ['svc_whsec_new', 'svc_whsec_old'], now)
    expect(header).toMatch(/^t=\d{10},v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
    expect(verify(header, 'svc_whsec_new')).toBe(true)
    expect(verify(header, 'svc_whsec_old')).toBe(true)
    const [alone] = signatureOf(body, ['svc_whsec_new'], now).split(',').slice(1)
    expect(header.split(',')[1]).toBe(alone)
  })

  it('does not hold for another body, another secret or an old time', () => {
    const header = signatureOf(body, ['svc_whsec_new'], Date.now())
    expect(() => verify(header, 'svc_whsec_new', `${body} `)).toThrow(/signature/i)
    expect(() => verify(header, 'svc_whsec_other')).toThrow(/signature/i)
    const old = signatureOf(body, ['svc_whsec_new'], Date.now() - 301_000)
    expect(() => verify(old, 'svc_whsec_new')).toThrow(/tolerance/i)
  })
})
