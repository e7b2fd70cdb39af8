import { describe, expect, it } from 'vitest'
import { type ApiKeyCommand, apiKeyDecider } from '../../../src/actors/api-key/rules.ts'
import { runDecider } from '../../domain/run-decider.ts'

const create: ApiKeyCommand = {
  type: 'CreateApiKey',
  atMs: 1,
  tenant: 'ten_00aaaaaaaa',
  label: 'shop',
  lastFour: 'abcd',
  secretHash: 'aa',
  ratePerMinute: null,
}
const revoke: ApiKeyCommand = { type: 'RevokeApiKey', atMs: 2 }
const run = (...commands: ApiKeyCommand[]) => runDecider(apiKeyDecider, commands)

describe('an API key', () => {
  it('is active until it is revoked, once and for ever', () => {
    expect(run(create, create).events).toHaveLength(1)
    expect(run(create).state).toMatchObject({ status: 'active', revokedAtMs: null })
    const { state, events } = run(create, revoke, revoke, create)
    expect(state).toMatchObject({ status: 'revoked', revokedAtMs: 2 })
    expect(events).toHaveLength(2)
  })

  it('has the rate that it was given, and the common one again', () => {
    const rate = (ratePerMinute: number | null): ApiKeyCommand => ({
      type: 'SetApiKeyRate',
      atMs: 2,
      ratePerMinute,
    })
    expect(run(create).state).toMatchObject({ ratePerMinute: null })
    expect(run(create, rate(900), rate(900)).state).toMatchObject({ ratePerMinute: 900 })
    expect(run(create, rate(900), rate(null)).state).toMatchObject({ ratePerMinute: null })
    expect(run(create, revoke, rate(900)).state).toMatchObject({ status: 'revoked', ratePerMinute: null })
  })

  it('that nobody made is not found', () => {
    const { state, replies } = run(revoke)
    for (const answer of [replies[0], apiKeyDecider.views.record(state)])
      expect(answer).toMatchObject({ refused: 'not_found' })
  })
})
