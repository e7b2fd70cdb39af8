import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { signedInSchema, signedInView } from './record.ts'
import { exact, newPassword, recordOf, words } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { AccountsApi } from './accounts-api.ts'
import { openedCookie } from './opened-cookie.ts'
import { tags } from '../tags.ts'

const invitation = Type.String({
  minLength: 1,
  maxLength: 300,
  description: 'What stands behind the # of the link.',
})
const code = Type.String({ minLength: 6, maxLength: 7, description: 'Six digits of the authenticator.' })
const recoveryCodes = Type.Array(Type.String(), {
  description: 'Each works once; shown in this answer alone.',
})

/** From the link to the account. */
export const enrolmentRoutes = (api: AccountsApi): readonly Route[] => {
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/enrolments',
      operationId: 'beginEnrolment',
      summary: 'Takes up an invitation: name and password, answered with the seed for an authenticator',
      tag: tags.signingIn,
      access: { callers: ['nobody'], isBeforeSignIn: true },
      idempotency: 'ignored',
      body: exact({
        invitation,
        name: Type.String({ minLength: 1, maxLength: 200, description: 'The name of the person.' }),
        password: newPassword('The password of the new account.'),
      }),
      responses: {
        201: exact({
          emailAddress: words('The address that was invited.', 'ada@registry.example'),
          totpSeed: words('The seed for an authenticator that is set up by hand.', 'JBSWY3DPEHPK3PXP'),
          totpUrl: words(
            'The same as a URL, for a QR code.',
            'otpauth://totp/Vouchsafe?secret=JBSWY3DPEHPK3PXP',
          ),
        }),
      },
      errors: ['forbidden', 'not_found', 'invalid_request'],
      handle: async ({ body, head }) => {
        const refused = api.checkOrigin(head)
        if (refused !== null) return refused
        const begun = await api.beginEnrolment(body)
        if (isRefused(begun)) return refusal(['forbidden', 'not_found', 'invalid_request'] as const, begun)
        const { account, totpSeed, totpUrl } = begun
        return reply(201, { emailAddress: account.private?.emailAddress ?? '', totpSeed, totpUrl })
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/v1/enrolments/confirm',
      operationId: 'confirmEnrolment',
      answer: { headers: ['Set-Cookie'] },
      summary: 'Makes the account with the first code of the authenticator and opens its first session',
      tag: tags.signingIn,
      access: { callers: ['nobody'], isBeforeSignIn: true },
      idempotency: 'ignored',
      body: exact({ invitation, code }),
      responses: { 201: recordOf('SignedInWithCodes', { ...signedInSchema.properties, recoveryCodes }) },
      errors: ['forbidden', 'not_found', 'unauthorized'],
      handle: async ({ body, head }) => {
        const refused = api.checkOrigin(head)
        if (refused !== null) return refused
        const done = await api.confirmEnrolment({ ...body, from: api.originOf(head) })
        if (isRefused(done)) return refusal(['not_found', 'unauthorized'] as const, done)
        const { accountId, account, session, token } = done
        const shown = { ...signedInView(accountId, account, session), recoveryCodes: done.recoveryCodes }
        return reply(201, shown, openedCookie(api, token, session.expiresAtMs))
      },
    }),
  ]
}
