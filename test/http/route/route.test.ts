import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { problem } from '../../../src/http/route/problem.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const shape = {
  method: 'POST',
  path: '/v1/things/{id}',
  operationId: 'makeThing',
  summary: 'Makes a thing',
  responses: { 202: Type.Object({ state: Type.Literal('made'), parts: Type.Array(Type.String()) }) },
  errors: ['not_found'],
  idempotency: 'ignored',
} as const

const access = { callers: ['nobody'] } as const

describe('a route', () => {
  it('knows the types of what its handler gets and gives', () => {
    const route = defineRoute({
      ...shape,
      access: { callers: ['api_key', 'member'] },
      body: Type.Object({ name: Type.String() }),
      query: Type.Object({ page: Type.Optional(Type.Integer()) }),
      handle: ({ caller, params, query, body }) => {
        const parts: readonly string[] = [caller.tenantId, params.id, body.name, String(query.page)]
        return parts.length === 0 ? problem('not_found', 'None.') : reply(202, { state: 'made', parts })
      },
    })
    expect(route).toMatchObject({ bodyBytesMax: 262_144, access: { callers: ['api_key', 'member'] } })
    expect(Object.isFrozen(route)).toBe(true)
  })

  it('does not compile without saying whom it serves', () => {
    const handle = () => problem('not_found', 'None.')
    // @ts-expect-error the caller is missing
    expect(defineRoute({ ...shape, handle }).access.callers).toBeUndefined()
  })

  it('that makes something is not accepted without saying what an Idempotency-Key does', () => {
    const { idempotency: _, ...silent } = shape
    const handle = () => problem('not_found', 'None.')
    expect(() => defineRoute({ ...silent, access, handle })).toThrow('an Idempotency-Key')
  })

  it('does not compile with an answer that it does not describe', () => {
    const wrongState = () => reply(202, { state: 'broken', parts: [] })
    const wrongStatus = () => reply(201, { state: 'made', parts: [] })
    const wrongCode = () => problem('forbidden', 'No.')
    // @ts-expect-error "broken" is not a state
    expect(defineRoute({ ...shape, access, handle: wrongState }).errors).toEqual(['not_found'])
    // @ts-expect-error 201 is not listed
    expect(defineRoute({ ...shape, access, handle: wrongStatus }).method).toBe('POST')
    // @ts-expect-error forbidden is not listed
    expect(defineRoute({ ...shape, access, handle: wrongCode }).method).toBe('POST')
  })

  it('does not compile when it asks a caller for what that kind does not have', () => {
    const route = defineRoute({
      ...shape,
      access: { callers: ['nobody', 'api_key'] },
      // @ts-expect-error nobody has no tenant
      handle: ({ caller }) => problem('not_found', String(caller.tenantId)),
    })
    expect(route.body).toBeNull()
  })
})
