import { Type } from 'typebox'
import { openApiDocument } from '../openapi/openapi.ts'
import { pack, type Packed, packedReply } from '../front-door/compressed-reply.ts'
import { type Route, defineRoute, reply } from '../route/route.ts'

/** Describes the routes it is given and itself. Written once, because anybody may ask for it as often as they like. */
export const openApiRoute = (others: readonly Route[]): Route => {
  let made: Packed | null = null
  const own: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    sends: ['Cache-Control'],
    summary: 'Describes this API',
    caller: ['nobody'],
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    isTagged: true,
    errors: [],
    handle: ({ head }) => {
      made ??= pack(JSON.stringify(openApiDocument([...others, own])), HEADERS)
      const { status, headers, body } = packedReply(made, head)
      // Bytes, and a 304 has none: what types can't say of a text that is written before.
      return reply(status as 200, body as unknown as Record<string, unknown>, headers)
    },
  })
  return own
}

const HEADERS = { 'Cache-Control': 'public, max-age=300' }
