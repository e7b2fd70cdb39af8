import { codes, type Code } from '../domain/codes.ts'
import type { CallerKind } from './caller.ts'
import { statusOf } from './problem.ts'
import type { Route } from './route.ts'
import { reasonPhrase } from './status.ts'

const API_VERSION = '1.0.0'

type Json = { readonly [key: string]: unknown }

/** Codes that any route can answer, whatever it does. */
const COMMON: readonly Code[] = ['internal', 'unavailable', 'overloaded']
const SCHEMES: Partial<Record<CallerKind, string>> = {
  api_key: 'apiKey',
  wallet_token: 'walletToken',
  member: 'session',
  operator: 'session',
}

/** The machine-readable description, made from the routes themselves, so that it can't say anything else than they do. */
export const openApiDocument = (routes: readonly Route[]): Json => ({
  openapi: '3.1.0',
  info: {
    title: 'Vouchsafe',
    version: API_VERSION,
    summary: 'Issue and verify AnonCreds credentials.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/' }],
  // What wallets call is described by their own protocols.
  paths: paths(routes.filter((route) => route.raw === null)),
  components: {
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'API key of an organisation, svc_sk_…' },
      walletToken: { type: 'http', scheme: 'bearer', description: 'Token of a wallet, svc_wt_…' },
      session: { type: 'apiKey', in: 'cookie', name: '__Host-vouchsafe', description: 'Console session' },
    },
    schemas: {
      Error: {
        type: 'object',
        required: ['error', 'reason'],
        additionalProperties: false,
        properties: {
          error: { type: 'string', enum: Object.keys(codes), description: 'What is wrong, for programs.' },
          reason: { type: 'string', description: 'One sentence that says what to change.' },
        },
      },
    },
  },
})

const paths = (routes: readonly Route[]): Json => {
  const byPath = Map.groupBy(routes, (route) => route.path)
  return Object.fromEntries(
    [...byPath].map(([path, here]) => [
      path,
      Object.fromEntries(here.map((route) => [route.method.toLowerCase(), operation(route)])),
    ]),
  )
}

const operation = (route: Route): Json => {
  const schemes = [
    ...new Set(route.caller.map((kind) => SCHEMES[kind]).filter((scheme) => scheme !== undefined)),
  ]
  const open = route.caller.includes('nobody')
  const parameters = [...pathParameters(route), ...queryParameters(route)]
  return {
    operationId: route.operationId,
    summary: route.summary,
    security: open ? [] : schemes.map((scheme) => ({ [scheme]: [] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body !== null && {
      requestBody: { required: true, content: { 'application/json': { schema: route.body } } },
    }),
    responses: { ...successes(route), ...failures(route) },
  }
}

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/\{([^}]+)\}/g)].map((found) => ({
    name: found[1],
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1, maxLength: 100 },
  }))

const queryParameters = (route: Route): Json[] =>
  Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: route.query?.required?.includes(name) ?? false,
    schema,
  }))

const successes = (route: Route): Json =>
  Object.fromEntries(
    Object.entries(route.responses).map(([status, schema]) => [
      status,
      { description: reasonPhrase(Number(status)), content: { 'application/json': { schema } } },
    ]),
  )

/** One entry per status; its description names every code that comes with it. */
const failures = (route: Route): Json => {
  const guarded: readonly Code[] = route.caller.includes('nobody')
    ? []
    : ['unauthorized', 'forbidden', 'rate_limited']
  const checked: readonly Code[] = takesInput(route) ? ['invalid_request'] : []
  const withBody: readonly Code[] = route.body === null ? [] : ['payload_too_large', 'unsupported_media_type']
  const all = new Set([...route.errors, ...guarded, ...checked, ...withBody, ...COMMON])
  const byStatus = Map.groupBy(all, (code) => statusOf[code])
  return Object.fromEntries(
    [...byStatus]
      .filter(([status]) => !(status in route.responses))
      .map(([status, here]) => [
        status,
        {
          description: here.toSorted().join(', '),
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      ]),
  )
}

const takesInput = (route: Route): boolean =>
  route.body !== null || route.query !== null || route.path.includes('{')
