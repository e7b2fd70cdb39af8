import { afterAll, describe, expect, it } from 'vitest'
import { addPasskey, passkeyOptions } from '../../../src/actors/account/passkeys.ts'
import { beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { stepUp, stepUpOptions } from '../../../src/actors/account/step-up.ts'
import { accountsWorld, allowed, from, password, tenantId } from './accounts-world.ts'
import { softwareAuthenticator } from './software-authenticator.ts'

const ORIGIN = 'https://console.example'
const RP_ID = 'console.example'

const at = await accountsWorld()
afterAll(() => at.close())

const signedIn = async (emailAddress: string, seed: string) => {
  const order = { organisation: tenantId, emailAddress, password, from }
  const { signIn } = allowed(await beginSignIn(at.ports, order))
  return allowed(await finishSignIn(at.ports, { signIn, code: at.nextCode(seed), from }))
}
const withPasskey = async (emailAddress: string) => {
  const { accountId, session, seed } = await at.enrolled(tenantId, emailAddress)
  const me = { accountId, sessionId: session.id }
  const device = softwareAuthenticator(ORIGIN)
  const { challenge } = allowed(await passkeyOptions(at.ports, me))
  allowed(await addPasskey(at.ports, me, { label: 'Laptop', response: device.make(challenge, RP_ID) }))
  const asked = async () => allowed(await stepUpOptions(at.ports, me)).passkey
  const signed = async () => device.use((await asked())?.challenge ?? '', RP_ID)
  return { me, device, seed, asked, signed }
}
const refused = { refused: 'forbidden' }

describe('a step-up by a code', () => {
  it('steps up with a fresh code, not with the one of the sign-in', async () => {
    const { seed, accountId, session } = await at.enrolled(tenantId, 'bob@example.org')
    const me = { accountId, sessionId: session.id }
    const code = at.nextCode(seed)
    const raised = allowed(await stepUp(at.ports, me, { code }))
    expect(raised.steppedUpAtMs).toBeGreaterThan(session.steppedUpAtMs)
    expect(await stepUp(at.ports, me, { code })).toMatchObject({ refused: 'forbidden' })
  })

  it('steps up by the clock of the node that is asked, and looks at it', async () => {
    const { seed } = await at.enrolled(tenantId, 'apart@example.org')
    const { accountId, session } = await signedIn('apart@example.org', seed)
    const now = (): number => at.runtime.now() + 25_000
    const ahead = { ...at.ports, runtime: { ...at.runtime, now } }
    const me = { accountId, sessionId: session.id }
    const raised = allowed(await stepUp(ahead, me, { code: at.nextCode(seed) }))
    expect(raised.steppedUpAtMs).toBeGreaterThan(at.runtime.now() + 20_000)
  })
})

describe('a step-up by a passkey', () => {
  it('is asked for where there is one, and is good once', async () => {
    const bare = await at.enrolled(tenantId, 'none@example.org')
    const nobody = { accountId: bare.accountId, sessionId: bare.session.id }
    expect(await stepUpOptions(at.ports, nobody)).toEqual({ passkey: null })
    const { me, device, asked, signed } = await withPasskey('ann@example.org')
    expect(await asked()).toMatchObject({ rpId: RP_ID, credentialIds: [device.credentialId] })
    const passkey = await signed()
    at.runtime.forward(1_000)
    const shownAtMs = at.runtime.now()
    const { steppedUpAtMs } = allowed(await stepUp(at.ports, me, { passkey }))
    expect(steppedUpAtMs).toBeGreaterThanOrEqual(shownAtMs)
    expect(await stepUp(at.ports, me, { passkey })).toMatchObject(refused)
  })

  it('is good for minutes, also across the moment at which the time goes on', async () => {
    const { me, signed } = await withPasskey('beth@example.org')
    const passkey = await signed()
    at.runtime.forward(4 * 60_000 + 59_000)
    expect(await stepUp(at.ports, me, { passkey })).toMatchObject({ id: me.sessionId })
    const kept = await signed()
    at.runtime.forward(10 * 60_000)
    expect(await stepUp(at.ports, me, { passkey: kept })).toMatchObject(refused)
  })

  it('takes nothing that was signed for a sign-in, in another session, or by another device', async () => {
    const { me, device, seed, asked } = await withPasskey('carl@example.org')
    const order = { organisation: tenantId, emailAddress: 'carl@example.org', password, from }
    const begun = allowed(await beginSignIn(at.ports, order))
    const other = await signedIn('carl@example.org', seed)
    const elsewhere = allowed(
      await stepUpOptions(at.ports, { accountId: me.accountId, sessionId: other.session.id }),
    )
    const { challenge = '' } = (await asked()) ?? {}
    const stranger = softwareAuthenticator(ORIGIN).use(challenge, RP_ID)
    for (const passkey of [
      device.use(begun.passkey?.challenge ?? '', RP_ID),
      device.use(elsewhere.passkey?.challenge ?? '', RP_ID),
      device.use(challenge, 'evil.example'),
      stranger,
      { ...stranger, id: device.credentialId, rawId: device.credentialId },
    ])
      expect(await stepUp(at.ports, me, { passkey })).toMatchObject(refused)
    expect(await stepUp(at.ports, me, { passkey: device.use(challenge, RP_ID) })).toMatchObject({})
    // What was signed for a step-up opens no session.
    const { signIn } = allowed(await beginSignIn(at.ports, order))
    const passkey = device.use((await asked())?.challenge ?? '', RP_ID)
    expect(await finishSignIn(at.ports, { signIn, passkey, from })).toMatchObject({ refused: 'unauthorized' })
  })

  it('that is wrong counts as a wrong code does', async () => {
    const { me, device, asked } = await withPasskey('dora@example.org')
    const wrong = () => stepUp(at.ports, me, { passkey: device.use('another', RP_ID) })
    for (let count = 0; count < 9; count++) expect(await wrong()).toMatchObject(refused)
    expect(await wrong()).toMatchObject({ refused: 'unauthorized' })
    expect(await stepUpOptions(at.ports, me)).toMatchObject({ refused: 'unauthorized' })
    await expect(asked()).rejects.toThrow('session')
  })
})
