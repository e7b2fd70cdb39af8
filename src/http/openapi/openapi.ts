import { codes } from '../../domain/codes.ts'
import { hoistNamed } from './components.ts'
import { HEADERS, operation } from './operation.ts'
import { TAG_GROUPS, type Tag, tagsOf } from './tags.ts'
import { type PublishedEvent, webhooks } from './webhooks.ts'
import type { Method, Route } from '../route/route.ts'

const API_VERSION = '1.0.0'

/** In the order in which the operations of a path are described. */
const METHODS: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

type Json = { readonly [key: string]: unknown }

/** What the description has beside the routes: the order of its chapters, and what is posted to webhooks. */
export type Contents = { readonly tags: readonly Tag[]; readonly events: readonly PublishedEvent[] }

/**
 * The machine-readable description, made from the routes themselves, so that it can't say anything else than they do.
 */
export const openApiDocument = (routes: readonly Route[], contents: Contents): Json => {
  const tags = tagsOf(routes, contents.tags)
  // Raw routes are for wallets and browsers, whose protocols are described elsewhere.
  const described = routes.filter((route) => route.raw === null)
  const { document, schemas } = hoistNamed({ paths: paths(described), webhooks: webhooks(contents.events) })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vouchsafe',
      version: API_VERSION,
      summary: 'Issue and verify AnonCreds credentials.',
      description: INTRODUCTION,
      contact: { name: 'The operators of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this description comes from.' }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    'x-tagGroups': TAG_GROUPS.map((group) => ({
      name: group,
      tags: tags.filter((tag) => tag.group === group).map(({ name }) => name),
    })),
    ...document,
    components: {
      headers: HEADERS,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'API key of an organisation, svc_sk_…' },
        walletToken: { type: 'http', scheme: 'bearer', description: 'Token of a wallet, svc_wt_…' },
        session: { type: 'apiKey', in: 'cookie', name: '__Host-vouchsafe', description: 'Console session' },
      },
      schemas: { ...schemas, Error: errorSchema },
    },
  }
}

const INTRODUCTION = `A multi-tenant HTTP/JSON API to issue AnonCreds credentials to wallets and to verify proofs from them. The same as pages, with guides, is at \`/docs\`.

- Commands answer at once with the record of an exchange; the holder answers minutes or hours later. Signed webhooks tell every step, the GET routes show the same.
- Values are signed into a credential that is kept in the holder's wallet alone. Every credential ends at its \`expiresAt\`.
- Texts are UTF-8 without NUL and without half characters (one part of a surrogate pair), names of properties too.
- A path that answers GET answers HEAD as well, and every path OPTIONS; any other method than these and the described ones is 405. \`Allow\` lists them.
- Every error is \`{"error": code, "reason": sentence}\`.
- Within \`/v1\` fields, event types, error codes and enum values may be added; ignore what you do not know.`

const errorSchema: Json = {
  title: 'Error',
  type: 'object',
  required: ['error', 'reason'],
  additionalProperties: false,
  properties: {
    error: { type: 'string', enum: Object.keys(codes), description: 'What is wrong, for programs.' },
    reason: { type: 'string', description: 'One sentence that says what to change.' },
  },
}

const paths = (routes: readonly Route[]): Json => {
  const byPath = Map.groupBy(routes, (route) => route.path)
  return Object.fromEntries(
    [...byPath].map(([path, here]) => [
      path,
      Object.fromEntries(
        METHODS.flatMap((method) => here.filter((route) => route.method === method)).map((route) => [
          route.method.toLowerCase(),
          operation(route, routes),
        ]),
      ),
    ]),
  )
}
