import type { Code } from '../domain/codes.ts'
import { limits } from '../domain/limits.ts'
import type { CallerKind } from './caller.ts'
import { exampleOf } from './openapi-example.ts'
import { statusOf } from './problem.ts'
import type { Route } from './route.ts'
import { reasonPhrase } from './status.ts'

type Json = { readonly [key: string]: unknown }

/** Codes that any route can answer, whatever it does. */
const COMMON: readonly Code[] = ['internal', 'unavailable', 'overloaded']
const SCHEMES: Partial<Record<CallerKind, string>> = {
  api_key: 'apiKey',
  wallet_token: 'walletToken',
  member: 'session',
  operator: 'session',
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })

export const HEADERS = {
  'X-Request-Id': header('Names this request in our logs.'),
  RateLimit: header('What is left of the rate, and after how many seconds the next place is free.'),
  'RateLimit-Policy': header('The rate: how many requests in how many seconds.'),
  'Retry-After': header('After so many whole seconds the request may come again.'),
  'Idempotent-Replayed': header('"true" when this is the answer to an earlier request with the same key.'),
  Link: header('Addresses of the next and the previous page.'),
  'WWW-Authenticate': header('Bearer'),
} as const

type HeaderName = keyof typeof HEADERS

/** One route as OpenAPI sees it, with all that the mechanism adds to it. */
export const operation = (route: Route): Json => {
  const schemes = [
    ...new Set(route.caller.map((kind) => SCHEMES[kind]).filter((scheme) => scheme !== undefined)),
  ]
  const open = route.caller.includes('nobody')
  const parameters = [...pathParameters(route), ...queryParameters(route), ...keyParameter(route)]
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: open ? [] : schemes.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== null && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: route.body, example: exampleOf(route.body) } },
      },
    }),
    responses: { ...successes(route), ...failures(route) },
  }
}

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/\{([^}]+)\}/g)].map((found) => ({
    name: found[1],
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: limits.pathIdCharactersMax },
  }))

const queryParameters = (route: Route): Json[] =>
  Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: route.query?.required?.includes(name) ?? false,
    schema,
  }))

const keyParameter = ({ repetition }: Route): Json[] => {
  if (repetition === null || repetition === 'own_rule') return []
  const isOwn = 'ownKey' in repetition
  const schema = { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyCharactersMax }
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: isOwn,
      description: isOwn
        ? repetition.ownKey
        : `The request has its effect once; for ${limits.idempotencyHours} hours the same key gets the same answer.`,
      schema: isOwn ? { type: 'string', format: 'uuid' } : schema,
    },
  ]
}

const successes = (route: Route): Json =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      {
        description: reasonPhrase(Number(status)),
        headers: refs(['X-Request-Id', ...rated(route), ...own(route)]),
        content: { 'application/json': { schema, example: exampleOf(schema) } },
      },
    ]),
  )

const refs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rated = ({ caller }: Route): readonly HeaderName[] =>
  caller.includes('api_key') || caller.includes('wallet_token') ? ['RateLimit', 'RateLimit-Policy'] : []

const own = (route: Route): readonly HeaderName[] => [
  ...(isRepeatable(route) ? (['Idempotent-Replayed'] as const) : []),
  ...(route.query !== null && 'page' in route.query.properties ? (['Link'] as const) : []),
]

const isRepeatable = ({ repetition }: Route): boolean =>
  repetition !== null && repetition !== 'own_rule' && !('ownKey' in repetition)

/** One entry per status; its description and its examples name every code that comes with it. */
const failures = (route: Route): Json => {
  const byStatus = Map.groupBy(codesOf(route), (code) => statusOf[code])
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !(status in route.responses))
      .map(([status, here]) => [
        status,
        {
          description: here.toSorted().join(', '),
          headers: refs(['X-Request-Id', ...failureHeaders(here)]),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                here.map((code) => [
                  code,
                  { value: { error: code, reason: 'A sentence that says what to change.' } },
                ]),
              ),
            },
          },
        },
      ]),
  )
}

const RETRYABLE: readonly Code[] = ['rate_limited', 'unavailable', 'overloaded', 'idempotency_in_progress']

const failureHeaders = (here: readonly Code[]): readonly HeaderName[] => [
  ...(here.some((code) => RETRYABLE.includes(code)) ? (['Retry-After'] as const) : []),
  ...(here.includes('rate_limited') ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
  ...(here.includes('unauthorized') ? (['WWW-Authenticate'] as const) : []),
]

const codesOf = (route: Route): ReadonlySet<Code> => {
  const guarded: readonly Code[] = route.caller.includes('nobody')
    ? []
    : ['unauthorized', 'forbidden', 'rate_limited']
  const takesInput = route.body !== null || route.query !== null || route.path.includes('{')
  const checked: readonly Code[] = takesInput || isRepeatable(route) ? ['invalid_request'] : []
  const withBody: readonly Code[] = route.body === null ? [] : ['payload_too_large', 'unsupported_media_type']
  const repeated: readonly Code[] = isRepeatable(route)
    ? ['idempotency_in_progress', 'idempotency_key_reused']
    : []
  return new Set([...route.errors, ...guarded, ...checked, ...withBody, ...repeated, ...COMMON])
}
