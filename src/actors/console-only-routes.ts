import { limits } from '../domain/limits.ts'
import type { CallerKind } from '../http/callers/caller.ts'
import { problem } from '../http/route/problem.ts'
import type { Method, Route } from '../http/route/route.ts'

/**
 * Setup routes of the contract whose work is not built yet. They stand here so that an API key or a wallet token
 * learns what it will always learn: 403. They are not part of the description of the API before they do something.
 */
const ahead: readonly (readonly [Method, string, CallerKind])[] = [
  ['POST', '/v1/schemas', 'member'],
  ['POST', '/v1/schemas/{id}/deprecate', 'member'],
  ['POST', '/v1/schemas/{id}/retry', 'member'],
  ['POST', '/v1/credential-definitions', 'member'],
  ['POST', '/v1/credential-definitions/{id}/deprecate', 'member'],
  ['POST', '/v1/credential-definitions/{id}/retry', 'member'],
  ['POST', '/v1/webhook/test', 'member'],
  ['POST', '/v1/webhook/deliveries/{id}/retry', 'member'],
  ['POST', '/v1/webhook/deliveries/retry', 'member'],
  ['GET', '/v1/biometric', 'member'],
  ['PUT', '/v1/biometric', 'member'],
  ['GET', '/v1/operator/endorsements', 'operator'],
  ['GET', '/v1/operator/ledger-ceilings', 'operator'],
]

export const consoleOnlyRoutes: readonly Route[] = ahead.map(
  ([method, path, caller]): Route => ({
    method,
    path,
    operationId: `${method.toLowerCase()} ${path}`,
    summary: 'Console only; not there yet',
    caller: [caller],
    query: null,
    body: null,
    repetition: null,
    // As any other route: who may not do this is told so, whatever they send.
    bodyBytesMax: limits.bodyBytesMax,
    responses: {},
    errors: ['not_found'],
    raw: {
      contentTypes: [],
      handle: () => problem('not_found', 'The console cannot do this yet.'),
    },
    handle: () => {
      throw new Error('a raw route answers by itself')
    },
  }),
)
