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
  ['member', tags.catalogue, 'POST', '/v1/schemas'],
  ['member', tags.catalogue, 'POST', '/v1/schemas/{id}/deprecate'],
  ['member', tags.catalogue, 'POST', '/v1/schemas/{id}/retry'],
  ['member', tags.catalogue, 'POST', '/v1/credential-definitions'],
  ['member', tags.catalogue, 'POST', '/v1/credential-definitions/{id}/deprecate'],
  ['member', tags.catalogue, 'POST', '/v1/credential-definitions/{id}/retry'],
  ['member', tags.biometrics, 'GET', '/v1/biometric'],
  ['member', tags.biometrics, 'PUT', '/v1/biometric'],
  ['operator', tags.operators, 'GET', '/v1/operator/endorsements'],
  ['operator', tags.operators, 'GET', '/v1/operator/ledger-ceilings'],
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
