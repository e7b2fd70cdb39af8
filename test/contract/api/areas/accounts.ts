import { randomUUID } from 'node:crypto'
import { cookieOf, type Person } from '../../../compose/console-people.ts'
import { password } from '../../../actors/account/accounts-world.ts'
import { softwareAuthenticator } from '../../../actors/account/software-authenticator.ts'
import { type Case, edge, refuses, type Samples } from '../table.ts'
import { type Answer, type Json, PAGE, type World } from '../world.ts'

const ENROL = '/v1/enrolments'
const CONFIRM = '/v1/enrolments/confirm'
const SIGN_IN = '/v1/sessions'
const SECOND = '/v1/sessions/second-factor'
const STEP_UP = '/v1/session/step-up'
const PASSWORD = '/v1/account/password'
const PASSKEYS = '/v1/account/passkeys'
const CODES = '/v1/account/recovery-codes'
const AUTHENTICATOR = '/v1/account/authenticator'
const FOREIGN = { 'sec-fetch-site': 'cross-site' }
const BETTER = 'another good passphrase'

let strangers = 0
/** Other runs have others on the same service. */
const thisRun = randomUUID().slice(0, 8)
const addressOf = (): string => `somebody${++strangers}.${thisRun}@example.org`
const invitation = ({ invite, tenant }: World): Promise<string> => invite(tenant, addressOf(), 'admin')
const begun = async (at: World) => {
  const pass = await invitation(at)
  const body = { invitation: pass, name: 'Ann', password }
  const answer = await at.raw('POST', { as: 'nobody', target: ENROL, body, headers: PAGE })
  return { invitation: pass, seed: String(answer.json['totpSeed']) }
}
const page = (at: World, target: string, body: unknown, headers: Readonly<Record<string, string>> = PAGE) =>
  at.raw('POST', { as: 'nobody', target, body, headers })

/** A member whose address is known. */
const member = async (at: World) => {
  const emailAddress = addressOf()
  const organisation = await at.newTenant()
  const who = await at.enrol(organisation, emailAddress)
  return { who, organisation, emailAddress }
}
const passwordOf = (
  { organisation, emailAddress }: Awaited<ReturnType<typeof member>>,
  given = password,
): Json => ({
  organisation,
  emailAddress,
  password: given,
})
const signingIn = async (at: World) => {
  const known = await member(at)
  const { json } = await page(at, SIGN_IN, passwordOf(known))
  return { who: known.who, signIn: String(json['signIn']) }
}
const own = async (at: World): Promise<Person> => (await member(at)).who

const options = (at: World, who: Person) => at.raw('POST', { as: who, target: `${PASSKEYS}/options` })
const madePasskey = async (at: World, who: Person): Promise<Json> => {
  const { json } = await options(at, who)
  const device = softwareAuthenticator(at.origin)
  return { label: 'Key', response: device.make(String(json['challenge']), new URL(at.origin).hostname) }
}
/** Of the form that browsers send, and of no device. */
const shownPasskey = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  clientExtensionResults: {},
  response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' },
}
const oneFactor = (body: Json, changed: string): Json => {
  const { code, ...others } = body
  return /^(passkey|recoveryCode)\b/.test(changed) ? others : { ...others, code }
}
const withPasskey = async (at: World) => {
  const who = await own(at)
  const { json } = await at.raw('POST', { as: who, target: PASSKEYS, body: await madePasskey(at, who) })
  return { who, target: `${PASSKEYS}/${String(json['id'])}` }
}
const offeredAuthenticator = async (at: World) => {
  const who = await own(at)
  const { json } = await at.raw('POST', { as: who, target: AUTHENTICATOR })
  return { who, seed: String(json['totpSeed']) }
}
const otherSession = async (at: World): Promise<{ readonly who: Person; readonly id: string }> => {
  const { who, signIn } = await signingIn(at)
  const done = await page(at, SECOND, { signIn, code: await at.nextCode(who.seed) })
  const { id } = done.json['session'] as { readonly id: string }
  if (cookieOf({ 'Set-Cookie': done.headers['set-cookie'] ?? '' }) === '') throw new Error(done.text)
  return { who, id }
}

export const accountSamples: Samples = {
  [`POST ${ENROL}`]: async (at) => {
    const body = { invitation: await invitation(at), name: 'Ann', password }
    return { as: 'nobody', body, headers: PAGE }
  },
  [`POST ${CONFIRM}`]: async (at) => {
    const { invitation: pass, seed } = await begun(at)
    return { as: 'nobody', body: { invitation: pass, code: await at.nextCode(seed) }, headers: PAGE }
  },
  [`POST ${SIGN_IN}`]: async (at) => ({
    as: 'nobody',
    body: passwordOf(await member(at)),
    headers: PAGE,
  }),
  [`POST ${SECOND}`]: async (at) => {
    const { who, signIn } = await signingIn(at)
    const body = { signIn, code: await at.nextCode(who.seed) }
    const instead = { passkey: shownPasskey }
    return { as: 'nobody', body, headers: PAGE, instead, alongside: oneFactor }
  },
  'GET /v1/session': async (at) => ({ as: await own(at) }),
  'DELETE /v1/session': async (at) => ({ as: await own(at) }),
  'GET /v1/sessions': async (at) => ({ as: await own(at) }),
  'DELETE /v1/sessions': async (at) => ({ as: await own(at) }),
  'DELETE /v1/sessions/{id}': async (at) => {
    const { who, id } = await otherSession(at)
    return { as: who, target: `${SIGN_IN}/${id}` }
  },
  [`GET ${STEP_UP}`]: async (at) => ({ as: (await withPasskey(at)).who }),
  [`POST ${STEP_UP}`]: async (at) => {
    const who = await own(at)
    const instead = { passkey: shownPasskey }
    return { as: who, body: { code: await at.nextCode(who.seed) }, instead, alongside: oneFactor }
  },
  [`POST ${AUTHENTICATOR}`]: async (at) => ({ as: await own(at) }),
  [`POST ${AUTHENTICATOR}/confirm`]: async (at) => {
    const { who, seed } = await offeredAuthenticator(at)
    return { as: who, body: { code: await at.nextCode(seed) } }
  },
  [`POST ${PASSWORD}`]: async (at) => ({
    as: await own(at),
    body: { currentPassword: password, newPassword: BETTER },
  }),
  [`POST ${CODES}`]: async (at) => ({ as: await own(at) }),
  [`GET ${PASSKEYS}`]: async (at) => ({ as: await own(at) }),
  [`POST ${PASSKEYS}/options`]: async (at) => ({ as: await own(at) }),
  [`POST ${PASSKEYS}`]: async (at) => {
    const who = await own(at)
    return { as: who, body: await madePasskey(at, who) }
  },
  [`DELETE ${PASSKEYS}/{id}`]: async (at) => {
    const { who, target } = await withPasskey(at)
    return { as: who, target }
  },
}

/** Tries until it is told to wait. */
const untilLocked = async (attempt: () => Promise<Answer>): Promise<Answer> => {
  for (let times = 0; times < 10; times++) {
    const answer = await attempt()
    if (answer.status === 429) return answer
  }
  return attempt()
}

const strangerCases: readonly Case[] = [
  ...([ENROL, CONFIRM, SIGN_IN, SECOND] as const).map((target) =>
    refuses(`POST ${target}`, 'forbidden', async (at) => {
      const asked = await accountSamples[`POST ${target}`]?.(at)
      return page(at, target, asked?.body, FOREIGN)
    }),
  ),
  refuses(`POST ${ENROL}`, 'not_found', (at) => page(at, ENROL, { invitation: 'x', name: 'Ann', password })),
  refuses(`POST ${CONFIRM}`, 'not_found', (at) => page(at, CONFIRM, { invitation: 'x', code: '000000' })),
  refuses(`POST ${CONFIRM}`, 'unauthorized', async (at) =>
    page(at, CONFIRM, { invitation: (await begun(at)).invitation, code: '0000000' }),
  ),
  refuses(`POST ${SIGN_IN}`, 'unauthorized', async (at) =>
    page(at, SIGN_IN, passwordOf(await member(at), 'wrong')),
  ),
  refuses(`POST ${SIGN_IN}`, 'rate_limited', async (at) => {
    const known = await member(at)
    return untilLocked(() => page(at, SIGN_IN, passwordOf(known, 'wrong')))
  }),
  refuses(`POST ${SECOND}`, 'unauthorized', (at) => page(at, SECOND, { signIn: 'x', code: '000000' })),
  refuses(`POST ${SECOND}`, 'rate_limited', async (at) => {
    const { signIn } = await signingIn(at)
    return untilLocked(() => page(at, SECOND, { signIn, code: '0000000' }))
  }),
  edge(`POST ${SECOND}`, 'one factor', async (at) => {
    const { who, signIn } = await signingIn(at)
    const code = await at.nextCode(who.seed)
    const refused = await page(at, SECOND, { signIn, code, recoveryCode: 'x' })
    return { accepted: await page(at, SECOND, { signIn, code }), refused, as: 'invalid_request' }
  }),
  edge(`POST ${SECOND}`, 'five minutes after the password', async (at) => {
    const finish = async (waitMs: number) => {
      const { who, signIn } = await signingIn(at)
      await at.pass(waitMs - 30_000)
      return page(at, SECOND, { signIn, code: await at.nextCode(who.seed) })
    }
    return { accepted: await finish(295_000), refused: await finish(300_000), as: 'unauthorized' }
  }),
]

const passwordEdge = (length: number): string => 'Correct horse battery staple. '.repeat(7).slice(0, length)

const changePassword = async (at: World, body: Json): Promise<Answer> =>
  at.raw('POST', { as: await own(at), target: PASSWORD, body })

const passwordCases: readonly Case[] = [
  refuses(`POST ${PASSWORD}`, 'forbidden', (at) =>
    changePassword(at, { currentPassword: 'wrong', newPassword: BETTER }),
  ),
  ...([12, 200] as const).flatMap((length) => [
    edge(`POST ${PASSWORD}`, `a password of ${length} characters`, async (at) => {
      const given = (characters: number) =>
        changePassword(at, { currentPassword: password, newPassword: passwordEdge(characters) })
      return {
        accepted: await given(length),
        refused: await given(length + (length === 12 ? -1 : 1)),
        as: 'invalid_request',
      }
    }),
    edge(`POST ${ENROL}`, `a password of ${length} characters`, async (at) => {
      const given = async (characters: number) =>
        page(at, ENROL, { invitation: await invitation(at), name: 'Ann', password: passwordEdge(characters) })
      return {
        accepted: await given(length),
        refused: await given(length + (length === 12 ? -1 : 1)),
        as: 'invalid_request',
      }
    }),
  ]),
]

const stale = (route: string, body?: Json): Case =>
  refuses(route as `${string} ${string}`, 'step_up_required', async (at) => {
    const [method, target] = route.replace('{id}', 'x').split(' ') as [string, string]
    return at.raw(method, { as: await at.stale(), target, ...(body !== undefined && { body }) })
  })

const madeUp = {
  label: 'Key',
  response: {
    id: 'x',
    rawId: 'x',
    type: 'public-key',
    clientExtensionResults: {},
    response: { clientDataJSON: 'x', attestationObject: 'x' },
  },
}

const authenticatorCases: readonly Case[] = [
  stale(`POST ${AUTHENTICATOR}`),
  refuses(`POST ${AUTHENTICATOR}/confirm`, 'not_found', async (at) =>
    at.raw('POST', { as: await own(at), target: `${AUTHENTICATOR}/confirm`, body: { code: '0000000' } }),
  ),
  refuses(`POST ${AUTHENTICATOR}/confirm`, 'forbidden', async (at) => {
    const { who } = await offeredAuthenticator(at)
    return at.raw('POST', { as: who, target: `${AUTHENTICATOR}/confirm`, body: { code: '0000000' } })
  }),
  edge(`POST ${AUTHENTICATOR}/confirm`, 'ten minutes after the seed', async (at) => {
    const confirm = async (waitMs: number) => {
      const { who, seed } = await offeredAuthenticator(at)
      await at.pass(waitMs - 30_000)
      const body = { code: await at.nextCode(seed) }
      return at.raw('POST', { as: who, target: `${AUTHENTICATOR}/confirm`, body })
    }
    return { accepted: await confirm(595_000), refused: await confirm(600_000), as: 'not_found' }
  }),
  edge(`POST ${STEP_UP}`, 'one factor', async (at) => {
    const who = await own(at)
    const code = await at.nextCode(who.seed)
    const shown = (body: Json) => at.raw('POST', { as: who, target: STEP_UP, body })
    const refused = await shown({ code, passkey: shownPasskey })
    return { accepted: await shown({ code }), refused, as: 'invalid_request' }
  }),
]

const passkeyCases: readonly Case[] = [
  stale(`POST ${CODES}`),
  stale(`POST ${PASSKEYS}/options`),
  stale(`POST ${PASSKEYS}`, madeUp),
  stale(`DELETE ${PASSKEYS}/{id}`),
  edge(`POST ${PASSKEYS}`, 'what a device made', async (at) => {
    const who = await own(at)
    const refused = await at.raw('POST', { as: who, target: PASSKEYS, body: madeUp })
    const body = await madePasskey(at, who)
    return {
      accepted: await at.raw('POST', { as: who, target: PASSKEYS, body }),
      refused,
      as: 'invalid_request',
    }
  }),
  edge(`POST ${PASSKEYS}`, 'ten passkeys', async (at) => {
    const who = await own(at)
    const add = async () => at.raw('POST', { as: who, target: PASSKEYS, body: await madePasskey(at, who) })
    for (let count = 0; count < 9; count++) await add()
    return { accepted: await add(), refused: await add(), as: 'invalid_request' }
  }),
  refuses(`DELETE ${PASSKEYS}/{id}`, 'not_found', async (at) =>
    at.raw('DELETE', { as: await own(at), target: `${PASSKEYS}/x` }),
  ),
]

export const accountCases: readonly Case[] = [
  ...strangerCases,
  ...passwordCases,
  ...passkeyCases,
  ...authenticatorCases,
  refuses('DELETE /v1/sessions/{id}', 'not_found', async (at) =>
    at.raw('DELETE', { as: await own(at), target: '/v1/sessions/x' }),
  ),
  refuses(`POST ${STEP_UP}`, 'forbidden', async (at) =>
    at.raw('POST', { as: await own(at), target: STEP_UP, body: { code: '0000000' } }),
  ),
  edge(`POST ${STEP_UP}`, 'ten failures of a session', async (at) => {
    const who = await own(at)
    const tried = (code: string) => at.raw('POST', { as: who, target: STEP_UP, body: { code } })
    for (let count = 0; count < 9; count++) await tried('0000000')
    const accepted = await tried(await at.nextCode(who.seed))
    return { accepted, refused: await tried('0000000'), as: 'unauthorized' }
  }),
  edge('GET /v1/session', '24 hours', async (at) => {
    const who = await own(at)
    const shown = await at.raw('GET', { as: who, target: '/v1/session' })
    const { expiresAt } = shown.json['session'] as { readonly expiresAt: string }
    await at.pass(Date.parse(expiresAt) - at.now() - 1_000)
    const accepted = await at.raw('GET', { as: who, target: '/v1/session' })
    await at.pass(1_001)
    const refused = await at.raw('GET', { as: who, target: '/v1/session' })
    await at.again()
    return { accepted, refused, as: 'unauthorized' }
  }),
]
