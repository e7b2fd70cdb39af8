import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { parametersOf } from '../../../src/http/openapi/parameters.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const route = defineRoute({
  method: 'POST',
  path: '/v1/things/{id}/do',
  operationId: 'doThing',
  summary: 'Does',
  access: { callers: ['api_key'] },
  query: Type.Object({
    state: Type.Optional(Type.Array(Type.String(), { description: 'In it.', examples: [['done']] })),
    tag: Type.Optional(Type.String()),
  }),
  responses: { 200: Type.Object({ id: Type.String({ examples: ['thi_1'] }) }) },
  errors: [],
  idempotency: { newRecordId: () => 'x', showRecord: () => Promise.resolve(null) },
  handle: ({ params }) => reply(200, { id: params.id }),
})

it('every parameter is described, with an example of its own', () => {
  expect(parametersOf(route)).toMatchObject([
    { name: 'id', in: 'path', required: true, example: 'thi_1' },
    { name: 'state', in: 'query', description: 'In it.', example: ['done'], style: 'form', explode: true },
    { name: 'tag', in: 'query', description: 'Records with this tag alone.', example: 'default' },
    { name: 'Idempotency-Key', in: 'header', required: false },
  ])
})

it('a key of its own is required', () => {
  expect(parametersOf({ ...route, idempotency: { keyMeaning: 'A UUID.' } }).at(-1)).toMatchObject({
    name: 'Idempotency-Key',
    required: true,
    description: 'A UUID.',
    schema: { format: 'uuid' },
  })
})
