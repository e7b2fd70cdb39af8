import { codes } from '../domain/codes.ts'
import { HEADERS, operation } from './openapi-operation.ts'
import { webhooks } from './openapi-webhooks.ts'
import type { Route } from './route.ts'

const API_VERSION = '1.0.0'

type Json = { readonly [key: string]: unknown }

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
  webhooks: webhooks(),
  components: {
    headers: HEADERS,
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
