import type { CallerKind } from '../http/callers/caller.ts'
import type { Tag } from '../http/openapi/tags.ts'
import { problem } from '../http/route/problem.ts'
import { defineRawRoute, type Method, type Route } from '../http/route/route.ts'
import { tags } from './tags.ts'

/**
 * Setup routes of the contract whose work is not built yet. They stand here so that an API key or a wallet token
 * learns what it will always learn: 403. They are not part of the description of the API before they do something.
 */
const ahead: readonly (readonly [CallerKind, Tag, Method, string])[] = [
  ['member', tags.webhooks, 'POST', '/v1/webhook/test'],
  ['member', tags.webhooks, 'POST', '/v1/webhook/deliveries/{id}/retry'],
  ['member', tags.webhooks, 'POST', '/v1/webhook/deliveries/retry'],
]

export const consoleOnlyRoutes: readonly Route[] = ahead.map(([caller, tag, method, path]) =>
  defineRawRoute({
    method,
    path,
    operationId: `${method.toLowerCase()} ${path}`,
    summary: 'Console only; not there yet',
    tag,
    access: { callers: [caller] },
    errors: ['not_found'],
    raw: { contentTypes: [], handle: () => problem('not_found', 'The console cannot do this yet.') },
  }),
)
