import { Type } from 'typebox'
import { isRefused } from '../../domain/refused.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { passkeySchema, passkeyView } from './record.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { AccountsApi } from './accounts-api.ts'
import { accountOf, signedInAs } from './outcomes.ts'
import { madeByPasskey } from './passkey-bodies.ts'
import { tags } from '../tags.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const over = ['unauthorized'] as const
const gone = ['not_found', ...over] as const
const refusals = ['invalid_request', ...over] as const

/** The passkeys of an account: a second factor beside the authenticator. */
export const passkeyRoutes = (api: AccountsApi): readonly Route[] => [
  listRoute(api),
  defineRoute({
    access: { ...own, needsStepUp: true },
    method: 'POST',
    path: '/v1/account/passkeys/options',
    operationId: 'beginPasskey',
    summary: 'Gives what the browser needs to make a passkey',
    tag: tags.ownAccount,
    idempotency: 'ignored',
    responses: { 200: Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object' }) },
    errors: over,
    handle: async ({ caller }) => {
      const options = await api.passkeyOptions(signedInAs(caller))
      return isRefused(options) ? refusal(over, options) : reply(200, { ...options })
    },
  }),
  defineRoute({
    access: { ...own, needsStepUp: true },
    method: 'POST',
    path: '/v1/account/passkeys',
    operationId: 'addPasskey',
    summary: 'Adds the passkey that the browser made',
    tag: tags.ownAccount,
    idempotency: 'ignored',
    body: exact({
      label: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'What to call it.',
        examples: ['Laptop'],
      }),
      response: madeByPasskey,
    }),
    responses: { 201: passkeySchema },
    errors: refusals,
    handle: async ({ caller, body }) => {
      const added = await api.addPasskey(signedInAs(caller), body)
      return isRefused(added) ? refusal(refusals, added) : reply(201, passkeyView(added))
    },
  }),
  defineRoute({
    access: { ...own, needsStepUp: true },
    method: 'DELETE',
    path: '/v1/account/passkeys/{id}',
    operationId: 'removePasskey',
    summary: 'Removes a passkey',
    tag: tags.ownAccount,
    responses: { 200: exact({}) },
    errors: gone,
    handle: async ({ caller, params }) => {
      const removed = await api.removePasskey(accountOf(caller), params.id)
      return removed === null ? reply(200, {}) : refusal(gone, removed)
    },
  }),
]

const listRoute = (api: AccountsApi): Route =>
  defineRoute({
    access: own,
    method: 'GET',
    path: '/v1/account/passkeys',
    operationId: 'listPasskeys',
    summary: 'Lists your passkeys, newest first; q looks in their labels',
    tag: tags.ownAccount,
    query: Type.Object(pageQuery),
    responses: { 200: pageOf(passkeySchema) },
    errors: ['invalid_request'],
    handle: async ({ caller, query, head }) => {
      const me = await api.account(accountOf(caller))
      const passkeys = (me?.account.private?.passkeys ?? []).map(passkeyView).toReversed()
      return pageReply(
        head,
        pageOfAll(passkeys, query, ({ label }) => [label]),
      )
    },
  })
