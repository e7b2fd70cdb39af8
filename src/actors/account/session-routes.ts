import { Type } from 'typebox'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { problem, refusal } from '../../http/route/problem.ts'
import { sessionSchema, sessionView, signedInSchema, signedInView } from './record.ts'
import { exact } from '../../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { endedCookie } from '../../http/callers/session-caller.ts'
import type { AccountsApi } from './accounts-api.ts'
import { accountOf, signedInAs } from './outcomes.ts'
import { tags } from '../tags.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const nothing = exact({})
const over = () => problem('unauthorized', 'The session is over; sign in again.')

/** Who is signed in, where, and how that ends. */
export const sessionRoutes = (api: AccountsApi): readonly Route[] => [
  ...currentSessionRoutes(api),
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
      const sessions = (await api.sessions(accountId)).map((each) => sessionView(each, sessionId))
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
      await api.endSessions(accountOf(caller))
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
    errors: ['not_found', 'unauthorized'],
    handle: async ({ caller, params }) => {
      const ended = await api.endSession({ accountId: accountOf(caller), sessionId: params.id })
      return ended === null ? reply(200, {}) : refusal(['not_found', 'unauthorized'] as const, ended)
    },
  }),
]

const currentSessionRoutes = (api: AccountsApi): readonly Route[] => [
  defineRoute({
    access: own,
    method: 'GET',
    path: '/v1/session',
    operationId: 'getSession',
    summary: 'Shows who is signed in',
    tag: tags.signingIn,
    responses: { 200: signedInSchema },
    errors: ['unauthorized'],
    handle: async ({ caller }) => {
      const { accountId, sessionId } = signedInAs(caller)
      const me = await api.account(accountId)
      const session = me?.account.private?.sessions.find(({ id }) => id === sessionId)
      return me === null || session === undefined
        ? over()
        : reply(200, signedInView(accountId, me.account, session))
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
      await api.endSession(signedInAs(caller))
      return reply(200, {}, { 'Set-Cookie': endedCookie })
    },
  }),
]
