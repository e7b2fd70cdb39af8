import { describe, expect, it } from 'vitest'
import { readWebhook, type WebhookOptions } from '../../client/src/index.ts'
import { signatureOf } from '../../src/webhooks/signature.ts'

const body = '{"id":"evt_1","type":"connection.state_changed","data":{"state":"completed"}} '
const nowMs = 1_800_000_000_000
const read = (options: Partial<WebhookOptions> = {}) =>
  readWebhook({
    signature: signatureOf(body, ['svc_whsec_a'], nowMs),
    body,
    secret: 'svc_whsec_a',
    now: () => nowMs,
    ...options,
  })
const because = (options: Partial<WebhookOptions>) =>
  read(options).then(
    () => 'read',
    (error: unknown) => (error as { readonly because: string }).because,
  )

describe('a webhook', () => {
  it('that the service has signed is read, as text and as bytes', async () => {
    expect(await read()).toMatchObject({ id: 'evt_1', type: 'connection.state_changed' })
    expect(await read({ body: Buffer.from(body) })).toMatchObject({ id: 'evt_1' })
  })

  it('with two signatures is read by the new secret, by the old one, and by whoever knows both', async () => {
    const signature = signatureOf(body, ['svc_whsec_new', 'svc_whsec_old'], nowMs)
    for (const secret of ['svc_whsec_new', 'svc_whsec_old', ['svc_whsec_other', 'svc_whsec_old']])
      expect(await read({ signature, secret })).toMatchObject({ id: 'evt_1' })
    expect(await because({ signature, secret: 'svc_whsec_other' })).toBe('wrong_signature')
  })

  it.each([
    ['another body', { body: `${body} ` }, 'wrong_signature'],
    ['another secret', { secret: 'svc_whsec_b' }, 'wrong_signature'],
    ['no secret', { secret: [] }, 'wrong_signature'],
    [
      'another time',
      { signature: signatureOf(body, ['svc_whsec_a'], nowMs).replace('t=1', 't=2') },
      'wrong_signature',
    ],
    ['no header', { signature: null }, 'malformed'],
    ['no time', { signature: `v1=${'0'.repeat(64)}` }, 'malformed'],
    ['no signature', { signature: 't=1800000000' }, 'malformed'],
    ['short ones', { signature: 't=1800000000,v1=00' }, 'malformed'],
    ['a great many', { signature: `t=1800000000${`,v1=${'0'.repeat(64)}`.repeat(17)}` }, 'malformed'],
  ])('with %s is rejected', async (_, options, expected) => {
    expect(await because(options)).toBe(expected)
  })

  it('is taken for 300 seconds, not for 301', async () => {
    for (const seconds of [300, -300])
      expect(await because({ now: () => nowMs + seconds * 1_000 })).toBe('read')
    for (const seconds of [301, -301])
      expect(await because({ now: () => nowMs + seconds * 1_000 })).toBe('too_old')
    expect(await because({ now: () => nowMs + 301_000, toleranceSeconds: 400 })).toBe('read')
  })

  it('that is no JSON is rejected although it is signed', async () => {
    const text = 'hello'
    expect(await because({ body: text, signature: signatureOf(text, ['svc_whsec_a'], nowMs) })).toBe(
      'malformed',
    )
  })
})
