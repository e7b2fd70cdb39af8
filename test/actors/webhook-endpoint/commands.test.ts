import { describe, expect, it } from 'vitest'
import {
  readWebhookEndpoint,
  removeWebhookEndpoint,
  rotateWebhookSecret,
  setWebhookEndpoint,
} from '../../../src/actors/webhook-endpoint/commands.ts'
import { tenant, webhookWorld } from '../webhook-world.ts'

const settings = { url: 'https://receiver.example/hooks', eventTypes: null }

describe('setting a webhook endpoint', () => {
  it('shows the secret once, when the endpoint is created', async () => {
    await using world = await webhookWorld()
    const created = await setWebhookEndpoint(world.ports, tenant, settings, 'first')
    expect(created).toMatchObject({ endpoint: { url: settings.url } })
    expect('secret' in created && created.secret).toMatch(/^svc_whsec_/)
    const changed = { url: 'https://receiver.example/other', eventTypes: ['proof.state_changed'] }
    const again = await setWebhookEndpoint(world.ports, tenant, changed, 'second')
    expect(again).toMatchObject({ endpoint: changed, secret: null })
    const shown = await readWebhookEndpoint(world.ports, tenant)
    expect(shown).toMatchObject(changed)
    expect(shown).not.toHaveProperty('secret')
  })

  it('has its effect once for one command id', async () => {
    await using world = await webhookWorld()
    await setWebhookEndpoint(world.ports, tenant, settings, 'first')
    await rotateWebhookSecret(world.ports, tenant, 'rotate')
    const repeated = await rotateWebhookSecret(world.ports, tenant, 'rotate')
    expect(repeated).toMatchObject({ secret: null })
  })

  it('shows a new secret at a rotation', async () => {
    await using world = await webhookWorld()
    const created = await setWebhookEndpoint(world.ports, tenant, settings, 'first')
    const rotated = await rotateWebhookSecret(world.ports, tenant, 'rotate')
    if (!('secret' in created && 'secret' in rotated)) throw new Error('refused')
    expect(rotated.secret).toMatch(/^svc_whsec_/)
    expect(rotated.secret).not.toBe(created.secret)
  })

  it('finds nothing to rotate, read or remove where none is set', async () => {
    await using world = await webhookWorld()
    const nothing = { refused: 'not_found' }
    expect(await rotateWebhookSecret(world.ports, tenant, 'a')).toMatchObject(nothing)
    expect(await readWebhookEndpoint(world.ports, tenant)).toBeNull()
    await setWebhookEndpoint(world.ports, tenant, settings, 'c')
    expect(await removeWebhookEndpoint(world.ports, tenant)).toMatchObject({ status: 'removed' })
    expect(await readWebhookEndpoint(world.ports, tenant)).toBeNull()
  })

  it.each([
    [{ url: 'receiver.example' }, /complete URL/],
    [{ url: 'ftp://receiver.example' }, /https/],
    [{ url: 'https://user:pass@receiver.example' }, /password/],
    [{ url: `https://receiver.example/${'x'.repeat(2_000)}` }, /2000 characters/],
    [{ eventTypes: [] }, /at least one/],
    [{ eventTypes: ['surprise'] }, /proof.state_changed/],
  ])('refuses %j and names the field', async (wrong, reason) => {
    await using world = await webhookWorld()
    const answer = await setWebhookEndpoint(world.ports, tenant, { ...settings, ...wrong }, 'first')
    expect(answer).toMatchObject({ refused: 'invalid_request' })
    expect('reason' in answer && answer.reason).toMatch(reason)
  })

  it('takes plain http with the development switch alone', async () => {
    await using world = await webhookWorld()
    const plain = { ...settings, url: 'http://localhost:3000/' }
    const strict = { ...world.ports, allowPrivateTargets: false }
    expect(await setWebhookEndpoint(strict, tenant, plain, 'first')).toMatchObject({
      refused: 'invalid_request',
    })
    expect(await setWebhookEndpoint(world.ports, tenant, plain, 'second')).toHaveProperty('endpoint')
  })

  it.each([
    ['https://127.0.0.1/', false],
    ['https://127.1/', false],
    ['https://2130706433/', false],
    ['https://10.1.2.3:8443/hook', false],
    ['https://169.254.169.254/', false],
    ['https://[::1]/', false],
    ['https://[fd00::1]/', false],
    ['https://[::ffff:10.0.0.1]/', false],
    ['https://93.184.215.14/', true],
    ['https://[2606:2800:21f:cb07:6820:80da:af6b:8b2c]/', true],
    ['https://localhost.example/', true],
  ])('that is %s: public, as far as it can be seen, is %s', async (url, isTaken) => {
    await using world = await webhookWorld()
    const strict = { ...world.ports, allowPrivateTargets: false }
    const set = await setWebhookEndpoint(strict, tenant, { url, eventTypes: null }, 'first')
    if (isTaken) expect(set).toMatchObject({ endpoint: { url } })
    else expect(set).toMatchObject({ refused: 'invalid_request', reason: /^url must have a public address/ })
  })
})
