import type { CallerKind } from '../../src/http/callers/caller.ts'
import type { Route } from '../../src/http/route/route.ts'
import { apiRoutes } from '../described-api.ts'
import { table } from './table.ts'

const whom: Readonly<Record<CallerKind, string>> = {
  nobody: 'anybody',
  api_key: 'API key',
  wallet_token: 'wallet token',
  member: 'console',
  operator: 'operator',
}

/** Every route of the API, as it declares itself. */
export const routesTable = (): string =>
  table(
    ['route', 'name', 'for', 'what it does', 'answers', 'refusals of its own'],
    apiRoutes().toSorted(byPath).map(row),
  )

const byPath = (left: Route, right: Route): number =>
  left.path === right.path ? (left.method < right.method ? -1 : 1) : left.path < right.path ? -1 : 1

const row = ({
  method,
  path,
  operationId,
  access,
  summary,
  responses,
  errors,
  idempotency,
}: Route): string[] => {
  const callers = access.callers.map((kind) => whom[kind]).join(', ')
  const answers = Object.keys(responses).join(', ')
  const repeatable = idempotency === null || idempotency === 'ignored' ? '' : ' Takes an `Idempotency-Key`.'
  const codes = errors.map((code) => `\`${code}\``).join(', ')
  return [`\`${method} ${path}\``, `\`${operationId}\``, callers, `${summary}.${repeatable}`, answers, codes]
}
