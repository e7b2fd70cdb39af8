import { describe, expect, it } from 'vitest'
import { tagOf } from '../../../src/http/openapi/tags.ts'

describe('the tag of a path', () => {
  it.each([
    ['/v1/connections', 'Connections'],
    ['/v1/connections/{id}', 'Connections'],
    ['/v1/wallet/mediator-invitation', 'Wallets'],
    ['/v1/operator/operators/{id}', 'Operators'],
    ['/openapi.json', 'Service'],
  ])('of %s is %s', (path, name) => {
    expect(tagOf(path)?.name).toBe(name)
  })

  it('is none where only the beginning of a word fits', () => {
    expect(tagOf('/v1/connections-of-others')).toBeNull()
  })
})
