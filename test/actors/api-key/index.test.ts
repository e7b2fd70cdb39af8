import { afterAll, describe, expect, it } from 'vitest'
import { apiKey } from '../../../src/actors/api-key/rules.ts'
import { catalogueWorld, tenantId } from '../catalogue-world.ts'

const at = await catalogueWorld()
afterAll(() => at.close())

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
    expect(await at.actors.read(apiKey.ref(id))).toMatchObject({
      status: 'revoked',
      ratePerMinute: 900,
      secretHash: 'aa',
    })
  })
})
