import { afterAll, describe, expect, it } from 'vitest'
import { account } from '../../../src/actors/account/state.ts'
import {
  addPasskey,
  passkeyFactor,
  passkeyOptions,
  passkeyRequest,
  removePasskey,
} from '../../../src/actors/account/passkeys.ts'
import { beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { accountsWorld, allowed, from, password, tenantId } from './accounts-world.ts'
import { softwareAuthenticator } from './software-authenticator.ts'

const ORIGIN = 'https://console.example'
const RP_ID = 'console.example'

const at = await accountsWorld()
afterAll(() => at.close())

const withPasskey = async (emailAddress: string, counts = true) => {
  const enrolled = await at.enrolled(tenantId, emailAddress)
  const me = { accountId: enrolled.accountId, sessionId: enrolled.session.id }
  const device = softwareAuthenticator(ORIGIN, counts)
  const { challenge } = allowed(await passkeyOptions(at.ports, me))
  const added = await addPasskey(at.ports, me, { label: 'Laptop', response: device.make(challenge, RP_ID) })
  return { me, device, challenge, passkey: allowed(added) }
}
const begin = async (emailAddress: string) => {
  const begun = allowed(await beginSignIn(at.ports, { organisation: tenantId, emailAddress, password, from }))
  return begun
}

describe('a passkey', () => {
  it('is made in a session and opens the next one', async () => {
    const { device } = await withPasskey('ann@example.org')
    const { signIn, passkey } = await begin('ann@example.org')
    expect(passkey).toMatchObject({ rpId: RP_ID, credentialIds: [device.credentialId] })
    const shown = device.use(passkey?.challenge ?? '', RP_ID)
    const done = await finishSignIn(at.ports, { signIn, passkey: shown, from })
    expect(done).toMatchObject({ account: { private: { passkeys: [{ counter: 2 }] } } })
    const again = await begin('ann@example.org')
    expect(await finishSignIn(at.ports, { signIn: again.signIn, passkey: shown, from })).toMatchObject({
      refused: 'unauthorized',
    })
  })

  it('that does not count works as often as it is used', async () => {
    const { device } = await withPasskey('bob@example.org', false)
    for (let time = 0; time < 2; time++) {
      const { signIn, passkey } = await begin('bob@example.org')
      const shown = device.use(passkey?.challenge ?? '', RP_ID)
      expect(await finishSignIn(at.ports, { signIn, passkey: shown, from })).toMatchObject({ session: {} })
    }
  })

  it('is not proved by another device, another site, another challenge or nonsense', async () => {
    const { device, me } = await withPasskey('carl@example.org')
    const { signIn, passkey } = await begin('carl@example.org')
    const challenge = passkey?.challenge ?? ''
    const stranger = softwareAuthenticator(ORIGIN)
    const elsewhere = { ...softwareAuthenticator('https://evil.example'), credentialId: device.credentialId }
    const good = device.use(challenge, RP_ID)
    const shown = [
      stranger.use(challenge, RP_ID),
      { ...stranger.use(challenge, RP_ID), id: device.credentialId, rawId: device.credentialId },
      { ...elsewhere.use(challenge, RP_ID), id: device.credentialId, rawId: device.credentialId },
      device.use('another challenge', RP_ID),
      device.use(challenge, 'evil.example'),
      { ...good, response: { ...good.response, signature: 'AAAA' } },
    ]
    const known = allowed(await at.ports.actors.read(account.ref(me.accountId)))
    for (const response of shown)
      expect(await passkeyFactor(at.ports, known, response, 'use', [signIn])).toMatchObject({ id: null })
    expect(await passkeyFactor(at.ports, known, good, 'use', [signIn])).toMatchObject({
      id: expect.any(String) as unknown,
    })
  })

  it('is not made from what was made for another time, site or session', async () => {
    const { me, device, challenge } = await withPasskey('dora@example.org')
    const again = { label: 'Again', response: device.make(challenge, RP_ID) }
    expect(await addPasskey(at.ports, me, again)).toMatchObject({ refused: 'invalid_request' })
    const fresh = allowed(await passkeyOptions(at.ports, me))
    expect(fresh.excludeCredentials).toMatchObject([{ id: device.credentialId }])
    const evil = softwareAuthenticator('https://evil.example').make(fresh.challenge, RP_ID)
    expect(await addPasskey(at.ports, me, { label: 'Evil', response: evil })).toMatchObject({
      refused: 'invalid_request',
    })
    const nobody = { ...me, sessionId: 'nobody' }
    expect(await passkeyOptions(at.ports, nobody)).toMatchObject({ refused: 'unauthorized' })
    expect(await addPasskey(at.ports, nobody, again)).toMatchObject({ refused: 'unauthorized' })
  })

  it('is asked for no more when it is removed', async () => {
    const { me, passkey } = await withPasskey('eve@example.org')
    expect(await removePasskey(at.ports, me.accountId, passkey.id)).not.toHaveProperty('refused')
    expect(await removePasskey(at.ports, me.accountId, passkey.id)).toMatchObject({ refused: 'not_found' })
    expect((await begin('eve@example.org')).passkey).toBeNull()
    expect(passkeyRequest(at.ports, { private: null } as never, 'use', 'x')).toBeNull()
  })
})
