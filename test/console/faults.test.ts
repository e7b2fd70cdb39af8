import { describe, expect, it } from 'vitest'
import { besideFields, faultAt } from '../../console/src/parts/faults.ts'

const problem = (reason: string) =>
  ({ status: 400, error: 'invalid_request', reason, retryAfterSeconds: null }) as const

describe('what the service objects to', () => {
  it('is said at the field that it names', () => {
    const long = problem('attributes.2 must have at most 100 characters.')
    expect(faultAt(long, 'attributes')).toBe(long.reason)
    expect(besideFields(long, ['attributes'])).toBeNull()
  })

  it('is said beside the form where no field of it is meant', () => {
    const other = problem('nameless must not be there.')
    expect(faultAt(other, 'name')).toBeNull()
    expect(besideFields(other, ['name'])).toBe(other)
  })
})
