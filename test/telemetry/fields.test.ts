import { describe, expect, it } from 'vitest'
import { safeFields } from '../../src/telemetry/fields.ts'

/** As code would call it that got around the compiler. */
const unchecked: (fields: Record<string, unknown>) => Record<string, unknown> = safeFields

describe('the fields of a log line', () => {
  it('are those of the closed list', () => {
    expect(
      unchecked({ requestId: 'req_1', status: 200, password: 'p', attributes: { name: 'Ada' } }),
    ).toEqual({
      requestId: 'req_1',
      status: 200,
    })
  })

  it('are dropped when they have another type than they should', () => {
    expect(unchecked({ requestId: { nested: 'secret' }, status: '200', route: ['a'] })).toEqual({})
  })

  it('do not include what an object inherits', () => {
    expect(unchecked(Object.create({ toString: 'x', secret: 'y' }) as Record<string, unknown>)).toEqual({})
  })

  it('are cut when they are long', () => {
    expect(String(unchecked({ code: 'c'.repeat(10_000) }).code)).toHaveLength(300)
  })

  it('tell of an error where it was and what the system called it, never what it said', () => {
    const cause = Object.assign(new Error('connect to svc_sk_secret'), {
      code: 'ECONNREFUSED',
      syscall: 'connect',
      port: 9042,
    })
    const { error } = unchecked({ error: new TypeError('Unexpected token in "Ada Lovelace"', { cause }) })
    expect(error).toMatchObject({
      name: 'TypeError',
      cause: { code: 'ECONNREFUSED', syscall: 'connect', port: 9042 },
    })
    expect(JSON.stringify(error)).toContain('fields.test.ts')
    expect(JSON.stringify(error)).not.toMatch(/Lovelace|svc_sk/)
  })

  it('tell of something thrown that is no error only what kind it was', () => {
    expect(unchecked({ error: 'the secret' })).toEqual({ error: { name: 'string' } })
  })

  it('end at an error that is its own cause', () => {
    const loop = new Error('a')
    loop.cause = loop
    expect(JSON.stringify(unchecked({ error: loop })).length).toBeLessThan(20_000)
  })
})
