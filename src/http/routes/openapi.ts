import { Type } from 'typebox'
import { type Contents, openApiDocument } from '../openapi/openapi.ts'
import { pack, type Packed, packedReply } from '../front-door/compressed-reply.ts'
import { type Route, defineRoute, reply } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

/**
 * Describes the given routes and itself. The text is made once, because any caller may request it as often as they
 * like.
 */
export const openApiRoute = (others: readonly Route[], contents: Contents): Route => {
  let made: Packed | null = null
  const own: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    answer: { headers: ['Cache-Control'], hasETag: true },
    summary: 'Describes this API',
    description: 'This description, made from the routes.',
    tag: serviceTags.service,
    access: { callers: ['nobody'] },
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    errors: [],
    handle: ({ head }) => {
      made ??= pack(JSON.stringify(openApiDocument([...others, own], contents)), HEADERS)
      const { status, headers, body } = packedReply(made, head)
      // The types expect an object with status 200; this is the serialised text, or a 304 without one.
      return reply(status as 200, body as unknown as Record<string, unknown>, headers)
    },
  })
  return own
}

const HEADERS = { 'Cache-Control': 'public, max-age=300' }
