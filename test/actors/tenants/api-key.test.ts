import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CatalogueWorld, catalogueWorld, tenantId } from '../catalogue/catalogue-world.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
})
afterEach(() => at.close())

describe('the actor of an API key', () => {
  it('is revoked after a restart too', async () => {
    const id = 'key_00aaaaaaaa'
    await at.ask(id, { type: 'CreateApiKey', atMs: 1, tenant: tenantId, label: 'l', lastFour: 'abcd' })
    await at.ask(id, { type: 'RevokeApiKey', atMs: 2 })
    await at.restart()
    expect(await at.ask(id, { type: 'ReadApiKey' })).toMatchObject({ apiKey: { status: 'revoked' } })
  })
})
