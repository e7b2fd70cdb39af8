import { Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { isRefused } from '../../domain/decider.ts'
import { sessionCookie } from '../../http/callers/session-caller.ts'
import { exact, isoTime, moment, recordOf, words } from '../../http/route/fields.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { RequestHead } from '../../http/server/server.ts'
import { tags } from '../tags.ts'
import type { SignedIn } from './ask-account.ts'
import { beginEnrolment, confirmEnrolment } from './enrol.ts'
import { deviceCookie } from './known-device.ts'
import { originOf, refusedOrLocked, type PeoplePorts } from './outcomes.ts'
import { passkeyAssertionBody, passkeyRequested } from './passkey-bodies.ts'
import { signedInSchema, signedInView } from './record.ts'
import { authenticatorCode, emailAddress, newPassword, totpFields } from './sent-fields.ts'
import { beginSignIn, finishSignIn } from './sign-in.ts'

const invitation = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'What stands behind the # of the link.',
})
const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each works once; shown in this answer alone.',
})

const secret = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })
const password = Type.String({ minLength: 1, maxLength: 1_000, description: 'The password of the account.' })
const code = authenticatorCode()

const firstStep = exact({
  organisation: Type.Union([Type.String({ maxLength: limits.pathIdCharactersMax }), Type.Null()], {
    description: 'The organisation; null for operators.',
    examples: ['ten_5c0k3m7p9r1t3v5x7z9b1d3f'],
  }),
  emailAddress: emailAddress('The address that was invited.'),
  password,
})

const beforeSignIn = { callers: ['nobody'], isBeforeSignIn: true } as const
const enrolmentRefusals = ['forbidden', 'not_found', 'invalid_request'] as const

/** From the link to the account. */
export const enrolmentRoutes = (ports: PeoplePorts): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/enrolments',
    operationId: 'beginEnrolment',
    summary: 'Takes up an invitation: name and password, answered with the seed for an authenticator',
    tag: tags.signingIn,
    access: beforeSignIn,
    idempotency: 'ignored',
    body: exact({
      invitation,
      name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the person.' }),
      password: newPassword('The password of the new account.'),
    }),
    responses: {
      201: exact({
        emailAddress: words('The address that was invited.', 'ada@registry.example'),
        ...totpFields,
      }),
    },
    errors: enrolmentRefusals,
    handle: async ({ body }) => {
      const begun = await beginEnrolment(ports, body)
      return isRefused(begun) ? refusal(enrolmentRefusals, begun) : reply(201, begun)
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/enrolments/confirm',
    operationId: 'confirmEnrolment',
    answer: { headers: ['Set-Cookie'] },
    summary: 'Makes the account with the first code of the authenticator and opens its first session',
    tag: tags.signingIn,
    access: beforeSignIn,
    idempotency: 'ignored',
    body: exact({ invitation, code }),
    responses: { 201: recordOf('SignedInWithCodes', { ...signedInSchema.properties, recoveryCodes }) },
    errors: ['forbidden', 'not_found', 'unauthorized'],
    handle: async ({ body, head }) => {
      const done = await confirmEnrolment(ports, { ...body, from: originOf(ports, head) })
      if (isRefused(done)) return refusal(['not_found', 'unauthorized'] as const, done)
      return reply(
        201,
        { ...signedInView(done), recoveryCodes: done.recoveryCodes },
        cookiesOf(ports, head, done),
      )
    },
  }),
]

/** From the password over the second factor to the session. */
export const signInRoutes = (ports: PeoplePorts): readonly Route[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/sessions',
    operationId: 'beginSignIn',
    summary: 'Checks the password; the second factor follows within minutes',
    tag: tags.signingIn,
    access: beforeSignIn,
    idempotency: 'ignored',
    body: firstStep,
    responses: {
      200: exact({
        signIn: words('For the second step.', 'sig_…'),
        expiresAt: moment('Until when the second factor may follow.'),
        passkey: passkeyRequested,
      }),
    },
    errors: ['forbidden', 'unauthorized', 'rate_limited'],
    handle: async ({ body, head }) => {
      const begun = await beginSignIn(ports, { ...body, from: originOf(ports, head) })
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
    access: beforeSignIn,
    idempotency: 'ignored',
    body: exact({
      signIn: secret('From the first step.'),
      code: Type.Optional(code),
      recoveryCode: Type.Optional(secret('One of the recovery codes, instead of a code.')),
      passkey: Type.Optional(passkeyAssertionBody),
    }),
    responses: { 201: signedInSchema },
    errors: ['forbidden', 'unauthorized', 'rate_limited', 'invalid_request'],
    handle: async ({ body, head }) => {
      const { code: shownCode, recoveryCode, passkey } = body
      if ([shownCode, recoveryCode, passkey].filter((shown) => shown !== undefined).length !== 1)
        return problem('invalid_request', 'One of code, recoveryCode and passkey must be sent.')
      const done = await finishSignIn(ports, { ...body, from: originOf(ports, head) })
      if (isRefused(done)) return refusedOrLocked(['unauthorized'] as const, done)
      return reply(201, signedInView(done), cookiesOf(ports, head, done))
    },
  }),
]

const cookiesOf = (ports: PeoplePorts, head: RequestHead, signedIn: SignedIn) => {
  const atMs = ports.runtime.now()
  const { openedAtMs, expiresAtMs } = signedIn.session
  const session = sessionCookie(signedIn.token, expiresAtMs - openedAtMs)
  const device = deviceCookie(ports.tokenTags, originOf(ports, head).cookies, signedIn, atMs)
  return { 'Set-Cookie': device === null ? session : [session, device] }
}
