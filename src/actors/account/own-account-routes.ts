import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { sessionSchema, sessionView } from './record.ts'
import { exact, newPassword } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { AccountsApi } from './accounts-api.ts'
import { accountOf, refusedOrLocked, signedInAs, wrongCode } from './outcomes.ts'
import { tags } from '../tags.ts'

const people = ['member', 'operator'] as const
const own = { callers: people, isOwnAccount: true } as const
/** What a code or a password proves once. */
const proving = { access: own, idempotency: 'ignored' } as const
const code = Type.String({ minLength: 6, maxLength: 7, description: 'Six digits of the authenticator.' })
const nothing = exact({})

/** Whatever people do about themselves. */
export const ownAccountRoutes = (api: AccountsApi): readonly Route[] => [
  defineRoute({
    ...proving,
    method: 'POST',
    path: '/v1/session/step-up',
    operationId: 'stepUp',
    summary: 'Shows the second factor again, before secrets are shown',
    tag: tags.signingIn,
    body: exact({ code }),
    responses: { 200: sessionSchema },
    errors: ['forbidden', 'rate_limited'],
    handle: async ({ caller, body, head }) => {
      const who = signedInAs(caller)
      const raised = await api.stepUp(who, body.code, api.originOf(head))
      if (isRefused(raised)) return refusedOrLocked(['forbidden'] as const, wrongCode(raised))
      return reply(200, sessionView(raised, who.sessionId))
    },
  }),
  defineRoute({
    ...proving,
    method: 'POST',
    path: '/v1/account/password',
    operationId: 'changePassword',
    summary: 'Changes the password; every other session ends',
    tag: tags.ownAccount,
    body: exact({
      currentPassword: Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'The password until now.',
      }),
      newPassword: newPassword('The password from now on.'),
    }),
    responses: { 200: nothing },
    errors: ['forbidden', 'invalid_request', 'unauthorized', 'rate_limited'],
    handle: async ({ caller, body, head }) => {
      const changed = await api.changePassword(signedInAs(caller), { ...body, from: api.originOf(head) })
      if (changed === null) return reply(200, {})
      return refusedOrLocked(['forbidden', 'invalid_request', 'unauthorized'] as const, changed)
    },
  }),
  defineRoute({
    access: { ...own, needsStepUp: true },
    method: 'POST',
    path: '/v1/account/recovery-codes',
    operationId: 'replaceRecoveryCodes',
    summary: 'Makes new recovery codes, shown this once; the old ones are good for nothing',
    tag: tags.ownAccount,
    idempotency: {
      newRecordId: () => api.newOrderId(),
      showRecord: () => Promise.resolve({}),
      secretFields: ['recoveryCodes'],
    },
    responses: {
      201: exact({
        recoveryCodes: Type.Union([Type.Array(Type.String()), Type.Null()], {
          description: 'Each works once; shown in this answer alone, and null when it comes again.',
          examples: [['abcd-efgh-jkmn-pqrs']],
        }),
      }),
    },
    errors: ['unauthorized'],
    handle: async ({ caller, recordId }) => {
      const made = await api.replaceRecoveryCodes(accountOf(caller), recordId)
      if (isRefused(made)) return refusal(['unauthorized'] as const, made)
      return reply(201, { recoveryCodes: made.codes })
    },
  }),
]
