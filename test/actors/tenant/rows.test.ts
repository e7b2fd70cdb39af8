import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createApiKey, newApiKeyId } from '../../../src/actors/api-key/commands.ts'
import { createTenant } from '../../../src/actors/tenant/create.ts'
import { apiKeyRowOf, tenantRowOf } from '../../../src/actors/tenant/rows.ts'
import { type ServiceOnMemory, serviceOnMemory } from '../../compose/service-on-memory.ts'
import { allowed } from '../account/accounts-world.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

describe('the rows of the operators’ lists', () => {
  it('are in nobody else’s list, and find a key by its organisation', async () => {
    const { useCases } = service
    const { id } = allowed(await createTenant(useCases, 'Registry'))
    const made = allowed(
      await createApiKey(useCases, { tenant: id, label: 'shop' }, newApiKeyId(useCases.runtime)),
    )
    expect(await tenantRowOf(useCases, id)).toMatchObject({
      tenant: 'operators',
      kind: 'tenant',
      state: 'active',
      searchText: 'Registry',
    })
    expect(await apiKeyRowOf(useCases, made.id)).toMatchObject({
      tenant: 'operators',
      kind: 'api-key',
      filters: { tenantId: id },
      searchText: 'shop',
    })
    expect(await tenantRowOf(useCases, 'ten_00aaaaaaaaaa')).toBeNull()
    expect(await apiKeyRowOf(useCases, 'key_00aaaaaaaaaa')).toBeNull()
  })
})
