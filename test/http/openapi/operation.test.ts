import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { operation } from '../../../src/http/openapi/operation.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'

const repeatable = defineRoute({
  method: 'POST',
  path: '/v1/things',
  operationId: 'makeThing',
  summary: 'Makes a thing',
  access: { callers: ['api_key'] },
  body: Type.Object({}),
  responses: { 201: Type.Object({ id: Type.String() }) },
  errors: [],
  idempotency: { newRecordId: () => 'x', showRecord: () => Promise.resolve(null) },
  handle: ({ recordId }) => reply(201, { id: recordId }),
})

const anybody = { ...repeatable.access, callers: ['nobody'] } as const

type Shown = {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean }[]
  readonly responses: Readonly<Record<string, { readonly description: string; readonly headers: object }>>
}
const shown = (route: typeof repeatable) => operation(route) as Shown

describe('an operation', () => {
  it('says whom it serves, what an Idempotency-Key does and what it asks of people', () => {
    const { description } = operation(repeatable) as { readonly description: string }
    expect(description).toBe('For an API key.\n\nMay be sent again safely under an `Idempotency-Key`.')
    const access = { ...repeatable.access, callers: ['member', 'operator'], needsStepUp: true } as const
    const people = { ...repeatable, access, idempotency: null }
    const told = operation(people) as { readonly description: string }
    expect(told.description).toContain('For a member in the console or an operator of the service.')
    expect(told.description).toContain('An API key is answered with 403 `forbidden`.')
    expect(told.description).toContain('step_up_required')
  })

  it('says which secrets are shown once, and where a key is not read', () => {
    const told = (idempotency: typeof repeatable.idempotency) =>
      (operation({ ...repeatable, idempotency }) as { readonly description: string }).description
    const making = repeatable.idempotency as object
    expect(told({ ...making, secretFields: ['secret'] } as never)).toContain('`secret` is null')
    expect(told('ignored')).toContain('is not read')
    expect(told({ keyMeaning: 'A UUID.' })).toBe('For an API key.')
  })

  it('has an example of its own where its answer is not what the record mostly is', () => {
    const { responses } = operation({
      ...repeatable,
      answer: { ...repeatable.answer, example: { id: 'young' } },
    }) as {
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

  it('that answers a key again says so, with its header and its refusals', () => {
    const { responses } = shown(repeatable)
    expect(responses['409']?.description).toBe('idempotency_in_progress')
    expect(responses['422']?.description).toBe('idempotency_key_reused')
    expect(Object.keys(responses['201']?.headers ?? {})).toContain('Idempotent-Replayed')
    expect(Object.keys(responses['409']?.headers ?? {})).toContain('Retry-After')
  })

  it('without a body has no other body to be refused, and is not counted where everybody is let in', () => {
    const bare = { ...repeatable, body: null, access: anybody }
    expect(shown(bare).responses['422']).toBeUndefined()
    expect(shown(bare).responses['429']).toBeUndefined()
    expect(shown(repeatable).responses['429']?.description).toBe('rate_limited')
  })

  it('with a key of its own requires it', () => {
    const own = { ...repeatable, idempotency: { keyMeaning: 'A UUID.' } }
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
    expect(shown({ ...repeatable, access: anybody }).responses['429']).toBeUndefined()
  })
})
