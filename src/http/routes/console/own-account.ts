import { Type } from 'typebox'
import { isRefused } from '../../../domain/exchanges/change.ts'
import { problem } from '../../problem.ts'
import { sessionSchema, sessionView, signedInSchema, signedInView } from '../../records/account-records.ts'
import { exact } from '../../records/fields.ts'
import { refusal } from '../../refusal.ts'
import { defineRoute, reply, type Route } from '../../route.ts'
import { endedCookie } from '../../session-caller.ts'
import type { AccountsApi } from './accounts-api.ts'
import { accountOf, refusedOrLocked, signedInAs, wrongCode } from './outcomes.ts'

const people = ['member', 'operator'] as const
const own = { caller: people, ownAccount: true, repetition: 'own_rule' } as const
const code = Type.String({ minLength: 6, maxLength: 7 })
const password = Type.String({ minLength: 1, maxLength: 1_000 })
const nothing = exact({})
const over = () => problem('unauthorized', 'The session is over; sign in again.')

/** Whatever people do about themselves. */
export const ownAccountRoutes = (api: AccountsApi): readonly Route[] => [
  ...sessionRoutes(api),
  defineRoute({
    ...own,
    method: 'POST',
    path: '/v1/session/step-up',
    operationId: 'stepUp',
    summary: 'Shows the second factor again, before secrets are shown',
    body: exact({ code }),
    responses: { 200: sessionSchema },
    errors: ['forbidden', 'not_found', 'rate_limited'],
    handle: async ({ caller, body, head }) => {
      const who = signedInAs(caller)
      const raised = await api.stepUp(who, body.code, api.originOf(head))
      if (isRefused(raised)) return refusedOrLocked(['forbidden', 'not_found'] as const, wrongCode(raised))
      return reply(200, sessionView(raised, who.sessionId))
    },
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: '/v1/account/password',
    operationId: 'changePassword',
    summary: 'Changes the password; every other session ends',
    body: exact({ currentPassword: password, newPassword: password }),
    responses: { 200: nothing },
    errors: ['forbidden', 'invalid_request', 'not_found', 'unauthorized', 'rate_limited'],
    handle: async ({ caller, body, head }) => {
      const changed = await api.changePassword(signedInAs(caller), { ...body, from: api.originOf(head) })
      if (changed === null) return reply(200, {})
      return refusedOrLocked(['forbidden', 'invalid_request', 'not_found', 'unauthorized'] as const, changed)
    },
  }),
  defineRoute({
    ...own,
    method: 'POST',
    path: '/v1/account/recovery-codes',
    operationId: 'replaceRecoveryCodes',
    summary: 'Makes new recovery codes, shown this once; the old ones are good for nothing',
    stepUp: true,
    responses: { 201: exact({ recoveryCodes: Type.Array(Type.String()) }) },
    errors: ['not_found', 'unauthorized'],
    handle: async ({ caller }) => {
      const recoveryCodes = await api.replaceRecoveryCodes(accountOf(caller))
      return isRefused(recoveryCodes)
        ? refusal(['not_found', 'unauthorized'] as const, recoveryCodes)
        : reply(201, { recoveryCodes })
    },
  }),
]

const sessionRoutes = (api: AccountsApi): readonly Route[] => [
  defineRoute({
    ...own,
    method: 'GET',
    path: '/v1/session',
    operationId: 'getSession',
    summary: 'Tells who is signed in',
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
    ...own,
    method: 'DELETE',
    path: '/v1/session',
    operationId: 'signOut',
    summary: 'Signs out',
    responses: { 200: nothing },
    errors: [],
    handle: async ({ caller }) => {
      await api.endSession(signedInAs(caller))
      return reply(200, {}, { 'Set-Cookie': endedCookie })
    },
  }),
  defineRoute({
    ...own,
    method: 'GET',
    path: '/v1/sessions',
    operationId: 'listSessions',
    summary: "Lists one's own sessions, newest first",
    responses: { 200: exact({ items: Type.Array(sessionSchema) }) },
    errors: [],
    handle: async ({ caller }) => {
      const { accountId, sessionId } = signedInAs(caller)
      const sessions = await api.sessions(accountId)
      return reply(200, { items: sessions.map((each) => sessionView(each, sessionId)) })
    },
  }),
  defineRoute({
    ...own,
    method: 'DELETE',
    path: '/v1/sessions',
    operationId: 'signOutEverywhere',
    summary: "Ends all of one's own sessions, this one too",
    responses: { 200: nothing },
    errors: [],
    handle: async ({ caller }) => {
      await api.endSessions(accountOf(caller))
      return reply(200, {}, { 'Set-Cookie': endedCookie })
    },
  }),
  defineRoute({
    ...own,
    method: 'DELETE',
    path: '/v1/sessions/{id}',
    operationId: 'endSession',
    summary: "Ends one of one's own sessions",
    responses: { 200: nothing },
    errors: ['not_found', 'unauthorized'],
    handle: async ({ caller, params }) => {
      const ended = await api.endSession({ accountId: accountOf(caller), sessionId: params.id })
      return ended === null ? reply(200, {}) : refusal(['not_found', 'unauthorized'] as const, ended)
    },
  }),
]
