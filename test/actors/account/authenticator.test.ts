import { afterAll, describe, expect, it } from 'vitest'
import { exchangeAuthenticator, offerAuthenticator } from '../../../src/actors/account/authenticator.ts'
import { ownSessionOfToken } from '../../../src/actors/account/own-account.ts'
import { beginSignIn, finishSignIn } from '../../../src/actors/account/sign-in.ts'
import { stepUp } from '../../../src/actors/account/step-up.ts'
import { accountsWorld, allowed, codeOf, from, password, tenantId } from './accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const begin = async (emailAddress: string) => {
  const order = { organisation: tenantId, emailAddress, password, from }
  return allowed(await beginSignIn(at.ports, order)).signIn
}
const enrolled = async (emailAddress: string) => {
  const person = await at.enrolled(tenantId, emailAddress)
  return { ...person, me: { accountId: person.accountId, sessionId: person.session.id } }
}
const now = (seed: string): string => codeOf(seed, at.runtime.now())

describe('another authenticator', () => {
  it('takes the place of the old one with its first code, and every other session ends', async () => {
    const { me, seed, token } = await enrolled('ann@example.org')
    const signIn = await begin('ann@example.org')
    const other = allowed(await finishSignIn(at.ports, { signIn, code: at.nextCode(seed), from }))
    const beforeMs = at.runtime.now()
    const offered = allowed(await offerAuthenticator(at.ports, me))
    expect(offered.totpUrl).toContain(offered.totpSeed)
    expect(offered.expiresAtMs).toBeGreaterThanOrEqual(beforeMs + 600_000)
    expect(offered.expiresAtMs).toBeLessThanOrEqual(at.runtime.now() + 600_000)
    // Until then the old one stays.
    expect(await stepUp(at.ports, me, { code: at.nextCode(seed) })).toMatchObject({ id: me.sessionId })
    // A code of the same half minute as the last one of the old authenticator was never shown before.
    const shownMs = at.runtime.now()
    const exchanged = allowed(await exchangeAuthenticator(at.ports, me, now(offered.totpSeed)))
    expect(exchanged).toMatchObject({ id: me.sessionId })
    expect(exchanged.steppedUpAtMs).toBeGreaterThanOrEqual(shownMs)
    expect(await ownSessionOfToken(at.ports, token)).not.toBeNull()
    expect(await ownSessionOfToken(at.ports, other.token)).toBeNull()
    expect(await stepUp(at.ports, me, { code: now(offered.totpSeed) })).toMatchObject({
      refused: 'forbidden',
    })
    expect(await stepUp(at.ports, me, { code: at.nextCode(seed) })).toMatchObject({ refused: 'forbidden' })
    const again = await begin('ann@example.org')
    const code = at.nextCode(offered.totpSeed)
    expect(await finishSignIn(at.ports, { signIn: again, code, from })).toMatchObject({ session: {} })
  })

  it('is confirmed by the session that saw its seed, in its time, and only the one that was shown last', async () => {
    const { me, seed } = await enrolled('bob@example.org')
    const signIn = await begin('bob@example.org')
    const other = allowed(await finishSignIn(at.ports, { signIn, code: at.nextCode(seed), from }))
    expect(await exchangeAuthenticator(at.ports, me, '000000')).toMatchObject({ refused: 'not_found' })
    const first = allowed(await offerAuthenticator(at.ports, me))
    const elsewhere = { accountId: me.accountId, sessionId: other.session.id }
    expect(await exchangeAuthenticator(at.ports, elsewhere, now(first.totpSeed))).toMatchObject({
      refused: 'not_found',
    })
    const second = allowed(await offerAuthenticator(at.ports, me))
    expect(await exchangeAuthenticator(at.ports, me, now(first.totpSeed))).toMatchObject({
      refused: 'forbidden',
    })
    at.runtime.forward(600_000)
    expect(await exchangeAuthenticator(at.ports, me, now(second.totpSeed))).toMatchObject({
      refused: 'not_found',
    })
    expect(await stepUp(at.ports, me, { code: at.nextCode(seed) })).toMatchObject({ id: me.sessionId })
  })

  it('is guessed ten times and no more', async () => {
    const { me } = await enrolled('carl@example.org')
    allowed(await offerAuthenticator(at.ports, me))
    for (let count = 0; count < 9; count++)
      expect(await exchangeAuthenticator(at.ports, me, '0000000')).toMatchObject({ refused: 'forbidden' })
    expect(await exchangeAuthenticator(at.ports, me, '0000000')).toMatchObject({ refused: 'unauthorized' })
    expect(await offerAuthenticator(at.ports, me)).toMatchObject({ refused: 'unauthorized' })
  })
})
