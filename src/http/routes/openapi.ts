import { Type } from 'typebox'
import { openApiDocument } from '../openapi.ts'
import { type Route, defineRoute, reply } from '../route.ts'

/** Describes the routes it is given and itself. */
export const openApiRoute = (others: readonly Route[]): Route => {
  const own: Route = defineRoute({
    method: 'GET',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    summary: 'Describes this API',
    caller: ['nobody'],
    responses: { 200: Type.Record(Type.String(), Type.Unknown()) },
    errors: [],
    handle: () => reply(200, document, { 'Cache-Control': 'public, max-age=300' }),
  })
  const document = openApiDocument([...others, own])
  return own
}
