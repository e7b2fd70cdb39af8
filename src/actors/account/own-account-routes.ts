import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { endedCookie } from '../../http/callers/session-caller.ts'
import { exact } from '../../http/route/fields.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import { ownSession } from './ask-account.ts'
import { deviceCookie } from './known-device.ts'
import { accountOf, originOf, signedInAs, type PeoplePorts } from './outcomes.ts'
import { changePassword, endSessions, ownSessions, replaceRecoveryCodes } from './own-account.ts'
import { endSession } from './prove-in-session.ts'
import { newPassword } from './sent-fields.ts'
import { sessionSchema, sessionView, signedInSchema, signedInView } from './record.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const passwords = exact({
  currentPassword: Type.String({ minLength: 1, maxLength: 1_000, description: 'The password until now.' }),
  newPassword: newPassword('The password from now on.'),
})
const nothing = exact({})
const over = ['unauthorized'] as const
const notChanged = ['invalid_request', 'forbidden', ...over] as const
const gone = ['not_found', ...over] as const

/** What people do about their own accounts. */
export const ownAccountRoutes = (ports: PeoplePorts): readonly Route[] => [
  ...currentSessionRoutes(ports),
  ...sessionRoutes(ports),
  defineRoute({
    access: own,
    idempotency: 'ignored',
    method: 'POST',
    path: '/v1/account/password',
    operationId: 'changePassword',
    answer: { headers: ['Set-Cookie'] },
    summary: 'Changes the password; every other session ends',
    tag: tags.ownAccount,
    body: passwords,
    responses: { 200: nothing },
    errors: notChanged,
    handle: async ({ caller, body, head }) => {
      const changed = await changePassword(ports, signedInAs(caller), body)
      if (isRefused(changed)) return refusal(notChanged, changed)
      // The cookie that the browser had is over with the old password.
      const owner = { accountId: accountOf(caller), account: changed }
      const device = deviceCookie(ports.tokenTags, originOf(ports, head).cookies, owner, ports.runtime.now())
      return reply(200, {}, device === null ? {} : { 'Set-Cookie': device })
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
      newRecordId: () => ports.runtime.newId(),
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
    errors: over,
    handle: async ({ caller, recordId }) => {
      const made = await replaceRecoveryCodes(ports, accountOf(caller), recordId)
      if (isRefused(made)) return refusal(over, made)
      return reply(201, { recoveryCodes: made.codes })
    },
  }),
]

/** Who is signed in, and how that ends. */
const currentSessionRoutes = (ports: PeoplePorts): readonly Route[] => [
  defineRoute({
    access: own,
    method: 'GET',
    path: '/v1/session',
    operationId: 'getSession',
    summary: 'Shows who is signed in',
    tag: tags.signingIn,
    responses: { 200: signedInSchema },
    errors: over,
    handle: async ({ caller }) => {
      const found = await ownSession(ports, signedInAs(caller))
      return isRefused(found) ? refusal(over, found) : reply(200, signedInView(found))
    },
  }),
  defineRoute({
    access: own,
    method: 'DELETE',
    path: '/v1/session',
    operationId: 'signOut',
    answer: { headers: ['Set-Cookie'] },
    summary: 'Signs out',
    tag: tags.signingIn,
    responses: { 200: nothing },
    errors: [],
    handle: async ({ caller }) => {
      await endSession(ports, signedInAs(caller))
      return reply(200, {}, { 'Set-Cookie': endedCookie })
    },
  }),
]

const sessionRoutes = (ports: PeoplePorts): readonly Route[] => [
  defineRoute({
    access: own,
    method: 'GET',
    path: '/v1/sessions',
    operationId: 'listSessions',
    summary: 'Lists your sessions, newest first; q looks in address and browser',
    tag: tags.signingIn,
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(sessionSchema) },
    errors: ['invalid_request'],
    handle: async ({ caller, query, head }) => {
      const { accountId, sessionId } = signedInAs(caller)
      const sessions = (await ownSessions(ports, accountId)).map((each) => sessionView(each, sessionId))
      return pageReply(
        head,
        pageOfAll(sessions, query, (each) => [each.address, each.userAgent]),
      )
    },
  }),
  defineRoute({
    access: own,
    method: 'DELETE',
    path: '/v1/sessions',
    operationId: 'signOutEverywhere',
    answer: { headers: ['Set-Cookie'] },
    summary: 'Ends all of your sessions, including this one',
    tag: tags.signingIn,
    responses: { 200: nothing },
    errors: [],
    handle: async ({ caller }) => {
      await endSessions(ports, accountOf(caller))
      return reply(200, {}, { 'Set-Cookie': endedCookie })
    },
  }),
  defineRoute({
    access: own,
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    operationId: 'endSession',
    summary: 'Ends one of your sessions',
    tag: tags.signingIn,
    responses: { 200: nothing },
    errors: gone,
    handle: async ({ caller, params }) => {
      const ended = await endSession(ports, { accountId: accountOf(caller), sessionId: params.id })
      return isRefused(ended) ? refusal(gone, ended) : reply(200, {})
    },
  }),
]
