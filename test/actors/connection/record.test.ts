import { describe, expect, it } from 'vitest'
import { connectionSchema, connectionView } from '../../../src/actors/connection/record.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'
import { exchangeFacts } from '../../http/routes/call-route.ts'

describe('a connection as callers see it', () => {
  it('has every field of its schema and no key', () => {
    const personal = { theirLabel: 'Phone', theirDid: 'd', theirService: null, ownSeed: 'seed', ownKey: 'k' }
    const view = connectionView('x', {
      ...exchangeFacts,
      ...personal,
      status: 'completed',
      errorMessage: null,
    })
    expect(compileSchema(connectionSchema, 'it')(view)).toBeNull()
    expect(JSON.stringify(view)).not.toContain('seed')
  })
})
