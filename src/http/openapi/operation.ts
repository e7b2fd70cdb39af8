import type { TSchema } from 'typebox'
import type { Code } from '../../domain/codes.ts'
import { limits } from '../../domain/limits.ts'
import type { CallerKind } from '../callers/caller.ts'
import { errorMeanings } from '../route/error-meanings.ts'
import { exampleOf } from './example.ts'
import { linksOf } from './links.ts'
import { parametersOf } from './parameters.ts'
import { asSent } from './sent.ts'
import { isAnsweredAgain } from '../route/run-idempotent.ts'
import { statusOf } from '../route/problem.ts'
import type { Route } from '../route/route.ts'
import { reasonPhrase } from '../server/server.ts'

type Json = { readonly [key: string]: unknown }

/** Codes of every route, whatever it does: a request may be malformed, or have a body that is too large. */
const COMMON: readonly Code[] = [
  'invalid_request',
  'payload_too_large',
  'internal',
  'unavailable',
  'overloaded',
]
const SCHEMES: Partial<Record<CallerKind, string>> = {
  api_key: 'apiKey',
  wallet_token: 'walletToken',
  member: 'session',
  operator: 'session',
}

const header = (description: string, example: string): Json => ({
  description,
  schema: { type: 'string' },
  example,
})

export const HEADERS = {
  'X-Request-Id': header('Names this request in our logs.', 'req_0f1e2d3c4b5a69788796000000a1'),
  RateLimit: header(
    'What is left of the rate, and after how many seconds the next place is free.',
    '"default";r=299;t=1',
  ),
  'RateLimit-Policy': header('The rate: how many requests in how many seconds.', '"default";q=300;w=60'),
  'Retry-After': header('After so many whole seconds the request may come again.', '7'),
  'Idempotent-Replayed': header(
    '"true" when this is the answer to an earlier request with the same key.',
    'true',
  ),
  Link: header(
    'Addresses of the next and the previous page.',
    '</v1/connections?page=3>; rel="next", </v1/connections?page=1>; rel="prev"',
  ),
  ETag: header('Names this very answer; for If-None-Match.', '"Rk2x0w1mZ3v9Y5c7b4N8aQ"'),
  'Cache-Control': header('For how long the answer may be kept, and by whom.', 'private, max-age=300'),
  'Set-Cookie': header(
    'Begins or ends the session of a browser.',
    '__Host-vouchsafe=…; Secure; HttpOnly; SameSite=Strict',
  ),
  'WWW-Authenticate': header('What kind of credential is missing.', 'Bearer'),
} as const

type HeaderName = keyof typeof HEADERS

/** One route as OpenAPI describes it, with all that the mechanism adds to every route. */
export const operation = (route: Route, routes: readonly Route[] = []): Json => {
  const schemes = [
    ...new Set(route.access.callers.map((kind) => SCHEMES[kind]).filter((scheme) => scheme !== undefined)),
  ]
  const open = route.access.callers.includes('nobody')
  const parameters = parametersOf(route)
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: descriptionOf(route),
    tags: route.tag === null ? [] : [route.tag.name],
    security: open ? [] : schemes.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== null && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: asSent(route.body), example: exampleOf(route.body) } },
      },
    }),
    responses: { ...successes(route, routes), ...unchanged(route), ...failures(route) },
  }
}

const WHO: Readonly<Record<CallerKind, string>> = {
  nobody: 'anybody, without a credential',
  api_key: 'an API key',
  wallet_token: 'a wallet token',
  member: 'a member in the console',
  operator: 'an operator of the service',
}

/** The route's own text, and what follows from its definition. */
const descriptionOf = (route: Route): string => {
  const { callers, needsStepUp } = route.access
  return [
    route.description,
    `For ${listed(callers.map((kind) => WHO[kind]))}.`,
    callers.includes('api_key') || callers.includes('nobody') ? null : NO_KEY,
    idempotencyOf(route),
    needsStepUp ? STEP_UP : null,
  ]
    .filter((each) => each !== null)
    .join('\n\n')
}

const NO_KEY = 'An API key is answered with 403 `forbidden`.'
const STEP_UP = `A person needs a second factor that was shown within the last ${limits.stepUpMinutes} minutes; otherwise 403 \`step_up_required\`.`

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const successes = (route: Route, routes: readonly Route[]): Json =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => {
      const links = Number(status) < 300 ? linksOf(route, schema, routes) : {}
      return [
        status,
        {
          description: reasonPhrase(Number(status)),
          headers: refs(['X-Request-Id', ...rated(route), ...own(route)]),
          content: {
            [route.answer.isEventStream ? 'text/event-stream' : 'application/json']: {
              schema,
              example: exampleFor(route, schema),
            },
          },
          ...(Object.keys(links).length > 0 && { links }),
        },
      ]
    }),
  )

const exampleFor = ({ answer: { example } }: Route, schema: TSchema): unknown =>
  example === null ? exampleOf(schema) : { ...(exampleOf(schema) as Json), ...example }

const unchanged = ({ answer: { hasETag, headers } }: Route): Json =>
  hasETag
    ? { 304: { description: reasonPhrase(304), headers: refs(['X-Request-Id', 'ETag', ...headers]) } }
    : {}

const refs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

const rated = ({ access: { callers } }: Route): readonly HeaderName[] =>
  callers.includes('nobody') ? [] : ['RateLimit', 'RateLimit-Policy']

const own = (route: Route): readonly HeaderName[] => [
  ...route.answer.headers,
  ...(route.answer.hasETag ? (['ETag'] as const) : []),
  ...(isAnsweredAgain(route.idempotency) ? (['Idempotent-Replayed'] as const) : []),
  ...(route.query !== null && 'page' in route.query.properties ? (['Link'] as const) : []),
]

const idempotencyOf = ({ idempotency, method }: Route): string | null => {
  if (idempotency === 'ignored' && method === 'POST') return IGNORED
  if (!isAnsweredAgain(idempotency)) return null
  const safely = 'May be sent again safely under an `Idempotency-Key`'
  const { secretFields = [] } = idempotency
  if (secretFields.length === 0) return `${safely}.`
  return `${safely}: it is done once. Secrets are not kept, so when the key comes again ${secretFields.map((name) => `\`${name}\``).join(', ')} is null; one that was lost is replaced by a request with a new key.`
}

const IGNORED =
  'An `Idempotency-Key` is not read here: what was proved by a password, a code or a passkey is not proved by the same request coming again.'

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
          headers: refs([...new Set(['X-Request-Id' as const, ...failureHeaders(route, here)])]),
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Error' },
              examples: Object.fromEntries(
                here.map((code) => [
                  code,
                  {
                    summary: errorMeanings[code].when,
                    value: { error: code, reason: errorMeanings[code].reason },
                  },
                ]),
              ),
            },
          },
        },
      ]),
  )
}

const RETRYABLE: readonly Code[] = ['rate_limited', 'unavailable', 'overloaded', 'idempotency_in_progress']

const isForPeople = ({ access: { callers } }: Route): boolean =>
  callers.includes('member') || callers.includes('operator')

/** Codes that are answered before the request is counted. */
const UNCOUNTED: readonly Code[] = ['unauthorized', 'payload_too_large']

const failureHeaders = (route: Route, here: readonly Code[]): readonly HeaderName[] => {
  const isServed = rated(route).length > 0 && !here.every((code) => UNCOUNTED.includes(code))
  return [
    ...(here.some((code) => RETRYABLE.includes(code)) ? (['Retry-After'] as const) : []),
    ...(isServed ? (['RateLimit', 'RateLimit-Policy'] as const) : []),
    ...(here.includes('unauthorized') ? (['WWW-Authenticate'] as const) : []),
    ...(here.includes('unauthorized') && isForPeople(route) ? (['Set-Cookie'] as const) : []),
  ]
}

const codesOf = (route: Route): ReadonlySet<Code> => {
  const guarded: readonly Code[] = route.access.callers.includes('nobody')
    ? []
    : // A credential is counted wherever it is shown.
      ['unauthorized', 'forbidden', 'rate_limited']
  const withBody: readonly Code[] = route.body === null ? [] : ['unsupported_media_type']
  const underKey: readonly Code[] = isAnsweredAgain(route.idempotency)
    ? ['idempotency_in_progress', ...(route.body === null ? [] : (['idempotency_key_reused'] as const))]
    : []
  return new Set([...route.errors, ...guarded, ...withBody, ...underKey, ...COMMON])
}
