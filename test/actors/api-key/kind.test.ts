import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { apiKeyActor } from '../../../src/actors/api-key/kind.ts'
import { type CatalogueWorld, catalogueWorld, tenantId } from '../catalogue-world.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
})
afterEach(() => at.close())

describe('the actor of an API key', () => {
  it('is revoked after a restart too', async () => {
    const id = 'key_00aaaaaaaa'
    await at.ask(id, {
      type: 'CreateApiKey',
      atMs: 1,
      tenant: tenantId,
      label: 'l',
      lastFour: 'abcd',
      secretHash: 'aa',
      ratePerMinute: null,
    })
    await at.ask(id, { type: 'SetApiKeyRate', atMs: 2, ratePerMinute: 900 })
    await at.ask(id, { type: 'RevokeApiKey', atMs: 2 })
    await at.restart()
    expect(await at.ask(id, { type: 'ReadApiKey' })).toMatchObject({
      apiKey: { status: 'revoked', ratePerMinute: 900, secretHash: 'aa' },
    })
  })

  it('reads what was stored before keys had rates and hashes', () => {
    const old = {
      status: 'active',
      tenant: 't',
      label: 'l',
      lastFour: 'abcd',
      createdAtMs: 1,
      revokedAtMs: null,
    }
    const text = JSON.stringify({ v: 1, d: old })
    expect(apiKeyActor().snapshots.decode(text, null)).toEqual({
      ...old,
      ratePerMinute: null,
      secretHash: null,
    })
    const created = { type: 'ApiKeyCreated', atMs: 1, tenant: 't', label: 'l', lastFour: 'abcd' }
    expect(apiKeyActor().events.decode(JSON.stringify({ v: 1, d: created }), null)).toEqual({
      ...created,
      secretHash: null,
      ratePerMinute: null,
    })
    expect(apiKeyActor().snapshots.decode('{"v":1,"d":{"status":"none"}}', null)).toEqual({ status: 'none' })
  })
})
