import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { problem } from '../../http/route/problem.ts'
import { signedInSchema, signedInView } from './record.ts'
import { emailAddress, exact, isoTime, moment, words } from '../../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { AccountsApi } from './accounts-api.ts'
import { refusedOrLocked } from './outcomes.ts'
import { shownByPasskey } from './passkey-bodies.ts'
import { openedCookie } from './opened-cookie.ts'
import { tags } from '../tags.ts'

const secret = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })
const password = Type.String({ minLength: 1, maxLength: 1_000, description: 'The password of the account.' })
const code = Type.String({ minLength: 6, maxLength: 7, description: 'Six digits of the authenticator.' })
const passkeyRequest = Type.Union(
  [
    exact({
      challenge: words('What the passkey signs.', 'Y2hhbGxlbmdl'),
      rpId: words('The host that the passkeys belong to.', 'vouchsafe.example'),
      credentialIds: Type.Array(Type.String(), { description: 'The passkeys of the account.' }),
    }),
    Type.Null(),
  ],
  { description: 'What the browser asks a passkey for; null where the account has none.' },
)

const firstStep = exact({
  organisation: Type.Union([Type.String({ maxLength: limits.pathIdCharactersMax }), Type.Null()], {
    description: 'The organisation; null for operators.',
    examples: ['ten_5c0k3m7p9r1t3v5x7z9b1d3f'],
  }),
  emailAddress: emailAddress('The address that was invited.'),
  password,
})

/** From the password over the second factor to the session. */
export const signInRoutes = (api: AccountsApi): readonly Route[] => {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/sessions',
      operationId: 'beginSignIn',
      summary: 'Checks the password; the second factor follows within minutes',
      tag: tags.signingIn,
      access: { callers: ['nobody'], isBeforeSignIn: true },
      idempotency: 'ignored',
      body: firstStep,
      responses: {
        200: exact({
          signIn: words('For the second step.', 'sig_…'),
          expiresAt: moment('Until when the second factor may follow.'),
          passkey: passkeyRequest,
        }),
      },
      errors: ['forbidden', 'unauthorized', 'rate_limited'],
      handle: async ({ body, head }) => {
        const refused = api.checkOrigin(head)
        if (refused !== null) return refused
        const begun = await api.beginSignIn({ ...body, from: api.originOf(head) })
        if (isRefused(begun)) return refusedOrLocked(['unauthorized', 'forbidden'] as const, begun)
        const { signIn, expiresAtMs, passkey } = begun
        return reply(200, { signIn, expiresAt: isoTime(expiresAtMs), passkey })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/sessions/second-factor',
      operationId: 'finishSignIn',
      answer: { headers: ['Set-Cookie'] },
      summary: 'Opens a session with a code of the authenticator, a recovery code or a passkey',
      tag: tags.signingIn,
      access: { callers: ['nobody'], isBeforeSignIn: true },
      idempotency: 'ignored',
      body: exact({
        signIn: secret('From the first step.'),
        code: Type.Optional(code),
        recoveryCode: Type.Optional(secret('One of the recovery codes, instead of a code.')),
        passkey: Type.Optional(shownByPasskey),
      }),
      responses: { 201: signedInSchema },
      errors: ['forbidden', 'unauthorized', 'rate_limited', 'invalid_request'],
      handle: async ({ body, head }) => {
        const refused = api.checkOrigin(head)
        if (refused !== null) return refused
        const { code: shownCode, recoveryCode, passkey } = body
        if ([shownCode, recoveryCode, passkey].filter((shown) => shown !== undefined).length !== 1)
          return problem('invalid_request', 'One of code, recoveryCode and passkey must be sent.')
        const done = await api.finishSignIn({ ...body, from: api.originOf(head) })
        if (isRefused(done)) return refusedOrLocked(['unauthorized'] as const, done)
        const { accountId, account, session, token } = done
        return reply(
          201,
          signedInView(accountId, account, session),
          openedCookie(api, token, session.expiresAtMs),
        )
      },
    }),
  ]
}
