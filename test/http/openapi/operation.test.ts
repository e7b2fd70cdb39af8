import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { operation } from '../../../src/http/openapi/operation.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const repeatable = defineRoute({
  method: 'POST',
  path: '/v1/things',
  operationId: 'makeThing',
  summary: 'Makes a thing',
  caller: ['api_key'],
  body: Type.Object({}),
  responses: { 201: Type.Object({ id: Type.String() }) },
  errors: [],
  repetition: { recordId: () => 'x', recall: () => Promise.resolve(null), repeated: [] },
  handle: ({ recordId }) => reply(201, { id: recordId }),
})

type Shown = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers: object }>>
}
const shown = (route: typeof repeatable) => operation(route) as Shown

describe('an operation', () => {
  it('says whom it serves, how it is repeated and what it asks of people', () => {
    const { description } = operation(repeatable) as { readonly description: string }
    expect(description).toBe('For an API key.\n\nMay be repeated safely under an `Idempotency-Key`.')
    const people = { ...repeatable, caller: ['member', 'operator'], stepUp: true, repetition: null } as const
    const told = operation(people) as { readonly description: string }
    expect(told.description).toContain('For a member in the console or an operator of the service.')
    expect(told.description).toContain('An API key is answered with 403 `forbidden`.')
    expect(told.description).toContain('step_up_required')
  })

  it('says what of it does not come again, and where a key is not read', () => {
    const told = (repetition: typeof repeatable.repetition) =>
      (operation({ ...repeatable, repetition }) as { readonly description: string }).description
    const making = repeatable.repetition as object
    expect(told({ ...making, withheld: ['secret'] } as never)).toContain('`secret` is null')
    expect(told('ignored')).toContain('is not read')
    expect(told({ ownKey: 'A UUID.' })).toBe('For an API key.')
  })

  it('has an example of its own where its answer is not what the record mostly is', () => {
    const { responses } = operation({ ...repeatable, example: { id: 'young' } }) as {
      readonly responses: Readonly<Record<string, { readonly content: object }>>
    }
    expect(responses['201']?.content).toMatchObject({ 'application/json': { example: { id: 'young' } } })
  })

  it('shows each of its errors as it is answered', () => {
    const { responses } = operation(repeatable) as {
      readonly responses: Readonly<
        Record<string, { readonly content: { readonly 'application/json': { readonly examples: object } } }>
      >
    }
    expect(responses['503']?.content['application/json'].examples).toMatchObject({
      unavailable: { value: { error: 'unavailable' } },
      overloaded: { value: { error: 'overloaded' } },
    })
  })

  it('that can be repeated says so, with its header and its refusals', () => {
    const { responses } = shown(repeatable)
    expect(responses['409']?.description).toBe('idempotency_in_progress')
    expect(responses['422']?.description).toBe('idempotency_key_reused')
    expect(Object.keys(responses['201']?.headers ?? {})).toContain('Idempotent-Replayed')
    expect(Object.keys(responses['409']?.headers ?? {})).toContain('Retry-After')
  })

  it('without a body has no other body to be refused, and is not counted where everybody is let in', () => {
    const bare = { ...repeatable, body: null, caller: ['nobody'] as const }
    expect(shown(bare).responses['422']).toBeUndefined()
    expect(shown(bare).responses['429']).toBeUndefined()
    expect(shown(repeatable).responses['429']?.description).toBe('rate_limited')
  })

  it('with a key of its own requires it', () => {
    const own = { ...repeatable, repetition: { ownKey: 'A UUID.' } }
    const { parameters, responses } = shown(own)
    expect(parameters).toMatchObject([{ required: true, schema: { format: 'uuid' } }])
    expect(responses['409']).toBeUndefined()
  })

  it('tells of the rate of those who have one', () => {
    expect(Object.keys(shown(repeatable).responses['429']?.headers ?? {})).toEqual([
      'X-Request-Id',
      'Retry-After',
      'RateLimit',
      'RateLimit-Policy',
    ])
    expect(shown({ ...repeatable, caller: ['nobody'] }).responses['429']).toBeUndefined()
  })
})
