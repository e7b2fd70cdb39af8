import { Type } from 'typebox'
import { isRefused } from '../../../domain/exchanges/change.ts'
import { limits } from '../../../domain/limits.ts'
import { type Problem, problem } from '../../problem.ts'
import { signedInSchema, signedInView } from '../../records/account-records.ts'
import { dateTime, exact, isoTime } from '../../records/fields.ts'
import { refusal } from '../../refusal.ts'
import { defineRoute, reply, type Route } from '../../route.ts'
import type { RequestHead } from '../../server.ts'
import { sessionCookie } from '../../session-caller.ts'
import type { AccountsApi } from './accounts-api.ts'
import { refusedOrLocked } from './outcomes.ts'

const secret = Type.String({ minLength: 1, maxLength: 300 })
const password = Type.String({ minLength: 1, maxLength: 1_000 })
const code = Type.String({ minLength: 6, maxLength: 7, description: 'Six digits of the authenticator' })
const recoveryCodes = Type.Array(Type.String())

/** For nobody yet; but only for pages of our own, and never for whoever already has a credential of another kind. */
const checked =
  (api: AccountsApi) =>
  (head: RequestHead): Problem<'forbidden'> | null =>
    head.headers.has('authorization')
      ? problem('forbidden', 'This is for the console; API keys and wallet tokens may not do this.')
      : api.checkOrigin(head)

export const signInRoutes = (api: AccountsApi): readonly Route[] => {
  const stranger = checked(api)
  const cookie = (token: string, expiresAtMs: number) => ({
    'Set-Cookie': sessionCookie(token, expiresAtMs - api.now()),
  })
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/enrolments',
      operationId: 'beginEnrolment',
      summary: 'Takes up an invitation: name and password, answered with the seed for an authenticator',
      caller: ['nobody'],
      repetition: 'own_rule',
      body: exact({
        invitation: secret,
        name: Type.String({ minLength: 1, maxLength: 200 }),
        password,
      }),
      responses: {
        201: exact({ emailAddress: Type.String(), totpSeed: Type.String(), totpUrl: Type.String() }),
      },
      errors: ['forbidden', 'not_found', 'invalid_request'],
      handle: async ({ body, head }) => {
        const refused = stranger(head)
        if (refused !== null) return refused
        const begun = await api.beginEnrolment(body)
        if (isRefused(begun)) return refusal(['not_found', 'invalid_request'] as const, begun)
        const { account, totpSeed, totpUrl } = begun
        return reply(201, { emailAddress: account.private?.emailAddress ?? '', totpSeed, totpUrl })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/enrolments/confirm',
      operationId: 'confirmEnrolment',
      summary: 'Makes the account with the first code of the authenticator and opens its first session',
      caller: ['nobody'],
      repetition: 'own_rule',
      body: exact({ invitation: secret, code }),
      responses: { 201: exact({ ...signedInSchema.properties, recoveryCodes }) },
      errors: ['forbidden', 'not_found', 'unauthorized'],
      handle: async ({ body, head }) => {
        const refused = stranger(head)
        if (refused !== null) return refused
        const done = await api.confirmEnrolment({ ...body, from: api.originOf(head) })
        if (isRefused(done)) return refusal(['not_found', 'unauthorized'] as const, done)
        const { accountId, account, session, token } = done
        const shown = { ...signedInView(accountId, account, session), recoveryCodes: done.recoveryCodes }
        return reply(201, shown, cookie(token, session.expiresAtMs))
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/sessions',
      operationId: 'beginSignIn',
      summary: 'Checks the password; the second factor follows within minutes',
      caller: ['nobody'],
      repetition: 'own_rule',
      body: exact({
        organisation: Type.Union([Type.String({ maxLength: limits.pathIdCharactersMax }), Type.Null()]),
        emailAddress: Type.String({ minLength: 1, maxLength: 300 }),
        password,
      }),
      responses: { 200: exact({ signIn: Type.String(), expiresAt: dateTime }) },
      errors: ['forbidden', 'unauthorized', 'rate_limited'],
      handle: async ({ body, head }) => {
        const refused = stranger(head)
        if (refused !== null) return refused
        const begun = await api.beginSignIn({ ...body, from: api.originOf(head) })
        if (isRefused(begun)) return refusedOrLocked(['unauthorized'] as const, begun)
        return reply(200, { signIn: begun.signIn, expiresAt: isoTime(begun.expiresAtMs) })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/sessions/second-factor',
      operationId: 'finishSignIn',
      summary: 'Opens a session with a code of the authenticator or a recovery code',
      caller: ['nobody'],
      repetition: 'own_rule',
      body: exact({ signIn: secret, code: Type.Optional(code), recoveryCode: Type.Optional(secret) }),
      responses: { 201: signedInSchema },
      errors: ['forbidden', 'unauthorized', 'rate_limited', 'invalid_request'],
      handle: async ({ body, head }) => {
        const refused = stranger(head)
        if (refused !== null) return refused
        if ((body.code === undefined) === (body.recoveryCode === undefined))
          return problem('invalid_request', 'Either code or recoveryCode must be sent.')
        const done = await api.finishSignIn({ ...body, from: api.originOf(head) })
        if (isRefused(done)) return refusedOrLocked(['unauthorized'] as const, done)
        const { accountId, account, session, token } = done
        return reply(201, signedInView(accountId, account, session), cookie(token, session.expiresAtMs))
      },
    }),
  ]
}
