import { limits } from '../../domain/limits.ts'
import { exampleOf } from './example.ts'
import { asSent } from './sent.ts'
import type { Route } from '../route/route.ts'

type Json = { readonly [key: string]: unknown }

/** Everything of a request that is not its body: ids of the path, filters of the query, the Idempotency-Key. */
export const parametersOf = (route: Route): readonly Json[] => [
  ...pathParameters(route),
  ...queryParameters(route),
  ...keyParameter(route),
  ...(route.answer.hasETag ? [IF_NONE_MATCH] : []),
  ...(route.answer.isEventStream ? [LAST_EVENT_ID] : []),
]

const pathParameters = (route: Route): Json[] =>
  [...route.path.matchAll(/\{([^}]+)\}/g)].map((found) => ({
    name: found[1],
    in: 'path',
    required: true,
    description: 'The id of the record.',
    example: idExampleOf(route),
    schema: { type: 'string', minLength: 1, maxLength: limits.pathIdCharactersMax },
  }))

const queryParameters = (route: Route): Json[] =>
  Object.entries(route.query?.properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: route.query?.required?.includes(name) ?? false,
    ...describedAs(name, schema),
    ...((schema as { readonly type?: unknown }).type === 'array' && REPEATED),
    schema: asSent(schema),
    example: exampleOf(schema, name),
  }))

/** ?state=done&state=declined */
const REPEATED: Json = { style: 'form', explode: true }

const describedAs = (name: string, { description }: { readonly description?: unknown }): Json => ({
  description: typeof description === 'string' ? description : `Records with this ${name} alone.`,
})

/** The id of the example that the route answers, or its number; where it answers none, any id. */
const idExampleOf = (route: Route): unknown => {
  const answer = Object.values(route.responses)[0]
  const { id, number }: Json = answer === undefined ? {} : (exampleOf(answer) as Json)
  if (typeof number === 'number') return String(number)
  return typeof id === 'string' ? id : exampleOf({ type: 'string' }, 'id')
}

const PRINTABLE = String.raw`^[\x20-\x7e]+$`

const keyParameter = ({ idempotency }: Route): Json[] => {
  if (idempotency === null || idempotency === 'ignored') return []
  const isOwn = 'keyMeaning' in idempotency
  const maxLength = limits.idempotencyKeyCharactersMax
  const schema = { type: 'string', minLength: 1, maxLength, pattern: PRINTABLE }
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: isOwn,
      description: isOwn
        ? idempotency.keyMeaning
        : `The request has its effect once; for ${limits.idempotencyHours} hours the same key gets the same answer.`,
      schema: isOwn ? { type: 'string', format: 'uuid' } : schema,
      example: '3f2b8c1e-6a4d-4b7e-9f10-2c5d8e7a6b43',
    },
  ]
}

const optionalHeader = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string' },
  example,
})

const IF_NONE_MATCH = optionalHeader(
  'If-None-Match',
  'The ETag of what is there already; 304 when nothing has changed.',
  '"Rk2x0w1mZ3v9Y5c7b4N8aQ"',
)
const LAST_EVENT_ID = optionalHeader(
  'Last-Event-ID',
  'The id of the event that was seen last; those after it come first.',
  'evt_cre_5f8d2k4m6p7q9r1s3t5v0w2y_4',
)
