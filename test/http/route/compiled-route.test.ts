import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { compileRoute } from '../../../src/http/route/compiled-route.ts'
import { LONG_TEXT_BYTES } from '../../../src/http/route/json-body.ts'
import { problem } from '../../../src/http/route/problem.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'
import { plainDoor } from '../front-door/plain-door.ts'
import { requestHead } from '../parts/request-head.ts'

const { run } = compileRoute(
  defineRoute({
    method: 'POST',
    path: '/things/{id}',
    operationId: 'makeThing',
    summary: 'x',
    access: { callers: ['nobody'] },
    query: Type.Object({ page: Type.Optional(Type.Integer({ minimum: 1 })) }),
    body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
    bodyBytesMax: 2 * LONG_TEXT_BYTES,
    longText: { path: ['name'], charactersMax: 2 * LONG_TEXT_BYTES },
    responses: { 201: Type.Object({ id: Type.String(), name: Type.String(), page: Type.Integer() }) },
    errors: [],
    handle: ({ params, query, body, longText }) => {
      const name = longText?.() ?? body.name
      return reply(201, { id: params.id, name, page: query.page ?? 0 }, { Location: '/x' })
    },
  }),
  plainDoor.idempotency,
)

const call = async (body: string | Uint8Array, { id = 'a', query = '', type = 'application/json' } = {}) => {
  const answer = await run({
    head: requestHead({ 'content-type': type }, { method: 'POST', path: `/things/${id}`, query }),
    caller: { kind: 'nobody' },
    params: { id },
    body: Buffer.from(body),
  })
  return { ...answer, json: JSON.parse(String(answer.body)) as Record<string, unknown> }
}

describe('a compiled route', () => {
  it('hands the handler only what was validated and sends what it gives', async () => {
    const answer = await call('{"name":"n"}', { query: 'page=3' })
    expect([answer.status, answer.json, answer.headers.Location]).toEqual([
      201,
      { id: 'a', name: 'n', page: 3 },
      '/x',
    ])
  })

  it('hands over what reads its long text', async () => {
    const long = `a/${'b'.repeat(LONG_TEXT_BYTES)}`
    expect((await call(JSON.stringify({ name: long }).replace('/', '\\/'))).json).toMatchObject({
      name: long,
    })
  })

  it.each([
    ['{"name":1}', {}, 'name must be a string.'],
    ['{"nam":"n"}', {}, 'name is required.'],
    ['{"name":"n","x":1}', {}, 'x is not a known property.'],
    ['[]', {}, 'the body must be an object.'],
    ['', {}, 'The body is required.'],
    ['{"name":"n"} trailing', {}, 'The body is not valid JSON in UTF-8.'],
    ['{"name":"a\\u0000"}', {}, 'name must not hold a NUL or half a character.'],
    ['{"name":"\\ud800"}', {}, 'name must not hold a NUL or half a character.'],
    ['{"\\u0000":1}', {}, 'the body must not hold a NUL or half a character.'],
    ['{"name":"n"}', { query: 'page=0' }, 'page must be at least 1.'],
    ['{"name":"n"}', { id: '' }, 'id must not be empty.'],
    ['{"name":"n"}', { id: 'x'.repeat(101) }, 'id must have at most 100 characters.'],
  ])('refuses %j with %j and says why', async (body, where, reason) => {
    expect(await call(body, where)).toMatchObject({ status: 400, json: { error: 'invalid_request', reason } })
  })

  it('takes an id of 100 characters', async () => {
    expect((await call('{"name":"n"}', { id: 'x'.repeat(100) })).status).toBe(201)
  })

  it('refuses bytes that are no UTF-8 and bodies of another type', async () => {
    expect((await call(Buffer.from('{"name":"\xff"}', 'latin1'))).status).toBe(400)
    expect(await call('{"name":"n"}', { type: 'text/json' })).toMatchObject({ status: 415 })
    // What is missing has no type to be wrong.
    expect((await call('', { type: '' })).json.reason).toBe('The body is required.')
  })

  it('does not repeat the body in what it says about it', async () => {
    expect((await call('{"name": svc_sk_secret')).json.reason).not.toContain('svc_sk')
  })
})

describe('a route with a reader of its own', () => {
  const asked: unknown[] = []
  const compiled = compileRoute(
    defineRoute({
      method: 'POST',
      path: '/many',
      operationId: 'makeMany',
      summary: 'x',
      access: { callers: ['api_key'] },
      body: Type.Unsafe<readonly string[]>(Type.Object({ names: Type.Array(Type.String()) })),
      bodyReader: async (bytes) => {
        const names = Buffer.from(bytes).toString().split(' ')
        if (names.includes('')) return problem('invalid_request', 'names.0 must not be empty.')
        return { value: names, meaning: names.toSorted() }
      },
      responses: { 201: Type.Object({ first: Type.String() }) },
      errors: [],
      idempotency: { newRecordId: () => 'rec_1', showRecord: () => null },
      handle: ({ body }) => reply(201, { first: body[0] ?? '' }),
    }),
    async (request, work) => {
      asked.push(request.body)
      return { is: 'answer', answer: await work.run('rec_1', 'run'), isReplayed: false }
    },
  )
  const send = async (body: string, type = 'application/json') => {
    const head = { 'content-type': type, 'idempotency-key': 'k' }
    const caller = { kind: 'api_key', tenantId: 'ten_1', keyId: 'key_1' } as const
    const sent = { head: requestHead(head, { method: 'POST', path: '/many' }), caller, params: {} }
    const { status, body: answer } = await compiled.run({ ...sent, body: Buffer.from(body) })
    return [status, JSON.parse(String(answer))] as const
  }

  it('hands over what that makes of the body, and knows two bodies for the same by what they mean', async () => {
    expect(await send('b a')).toEqual([201, { first: 'b' }])
    expect(await send('a b')).toEqual([201, { first: 'a' }])
    expect(asked).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ])
  })

  it('answers what the reader finds wrong, and asks it nothing of what is no JSON, or not there', async () => {
    expect(await send('a  b')).toMatchObject([400, { reason: 'names.0 must not be empty.' }])
    expect((await send('a', 'text/plain'))[0]).toBe(415)
    expect(await send('')).toMatchObject([400, { reason: 'The body is required.' }])
  })
})
