import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { exact } from '../../http/route/fields.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { tags } from '../tags.ts'
import type { AccountPorts } from './ask-account.ts'
import { accountOf, signedInAs } from './outcomes.ts'
import { passkeyRegistrationBody } from './passkey-bodies.ts'
import { addPasskey, passkeyOptions, removePasskey } from './passkeys.ts'
import { passkeySchema, passkeyView } from './record.ts'
import { account } from './state.ts'

const own = { callers: ['member', 'operator'], isOwnAccount: true } as const
const over = ['unauthorized'] as const
const gone = ['not_found', ...over] as const
const refusals = ['invalid_request', ...over] as const

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What to call it.',
  examples: ['Laptop'],
})

/** The passkeys of the person who calls: a second factor beside the authenticator. */
export const passkeyRoutes = (ports: AccountPorts): readonly Route[] => [
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
      const me = await ports.actors.read(account.ref(accountOf(caller)))
      const known = isRefused(me) ? [] : (me.private?.passkeys ?? [])
      const passkeys = known.map(passkeyView).toReversed()
      return pageReply(
        head,
        pageOfAll(passkeys, query, ({ label }) => [label]),
      )
    },
  }),
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
      const options = await passkeyOptions(ports, signedInAs(caller))
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
      label: name,
      response: passkeyRegistrationBody,
    }),
    responses: { 201: passkeySchema },
    errors: refusals,
    handle: async ({ caller, body }) => {
      const added = await addPasskey(ports, signedInAs(caller), body)
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
      const removed = await removePasskey(ports, accountOf(caller), params.id)
      return isRefused(removed) ? refusal(gone, removed) : reply(200, {})
    },
  }),
]
