import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { codes } from '../../../src/domain/codes.ts'
import { openApiDocument } from '../../../src/http/openapi/openapi.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const route = defineRoute({
  method: 'POST',
  path: '/v1/things/{id}/erase',
  operationId: 'eraseThing',
  summary: 'Erases a thing',
  access: { callers: ['api_key', 'member'] },
  query: Type.Object({ page: Type.Optional(Type.Integer()) }),
  body: Type.Object({ reason: Type.String() }),
  responses: { 200: Type.Object({ id: Type.String() }) },
  errors: ['not_found', 'exchange_running'],
  idempotency: 'ignored',
  handle: ({ params }) => reply(200, { id: params.id }),
})

const none = { tags: [], events: [] }

type Operation = {
  readonly operationId: string
  readonly security: unknown
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, { readonly description: string }>>
}
const document = JSON.parse(JSON.stringify(openApiDocument([route], none))) as {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: {
      readonly Error: { readonly properties: { readonly error: { readonly enum: string[] } } }
    }
  }
}
const operation = document.paths['/v1/things/{id}/erase']?.post

describe('the OpenAPI document', () => {
  it('is of version 3.1.0 and describes version 1.0.0', () => {
    expect([document.openapi, document.info.version]).toEqual(['3.1.0', '1.0.0'])
  })

  it('has the route with its parameters and callers', () => {
    expect(operation?.operationId).toBe('eraseThing')
    expect(operation?.security).toEqual([{ apiKey: [] }, { session: [] }])
    expect(operation?.parameters.map(({ name, in: where, required }) => [name, where, required])).toEqual([
      ['id', 'path', true],
      ['page', 'query', false],
    ])
  })

  it('has every status that the route can answer, with the codes it means', () => {
    const failures = Object.entries(operation?.responses ?? {}).map(([status, { description }]) => [
      status,
      description,
    ])
    expect(Object.fromEntries(failures)).toEqual({
      200: 'OK',
      400: 'invalid_request',
      401: 'unauthorized',
      403: 'forbidden',
      404: 'not_found',
      409: 'exchange_running',
      413: 'payload_too_large',
      415: 'unsupported_media_type',
      429: 'rate_limited',
      500: 'internal',
      503: 'overloaded, unavailable',
    })
  })

  it('stands the operations of a path in one order, whatever the order of the routes', () => {
    const other = { ...route, method: 'DELETE', operationId: 'removeThing', idempotency: null } as const
    const { paths } = openApiDocument([other, route], none) as unknown as typeof document
    expect(Object.keys(paths['/v1/things/{id}/erase'] ?? {})).toEqual(['post', 'delete'])
  })

  it('says once what a record is, wherever it is answered', () => {
    const named = Type.Object({ id: Type.String() }, { title: 'Thing' })
    const made = openApiDocument([{ ...route, responses: { 200: named } }], none) as unknown as {
      readonly components: { readonly schemas: object }
    }
    expect(Object.keys(made.components.schemas)).toContain('Thing')
    expect(JSON.stringify(made)).toContain('"$ref":"#/components/schemas/Thing"')
  })

  it('lists every error code', () => {
    expect(document.components.schemas.Error.properties.error.enum).toEqual(Object.keys(codes))
  })
})
