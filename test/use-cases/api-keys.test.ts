import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  apiKeyId,
  createApiKey,
  ownerOfApiKey,
  revokeApiKey,
  setApiKeyRate,
} from '../../src/use-cases/api-keys.ts'
import { createTenant } from '../../src/use-cases/create-tenant.ts'
import { TenantStanding } from '../../src/use-cases/tenant-standing.ts'
import { type ServiceOnMemory, serviceOnMemory } from '../compose/service-on-memory.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

describe('an API key', () => {
  it('names its tenant until it is revoked', async () => {
    const { useCases } = service
    const tenant = await createTenant(useCases, 'Registry')
    const tenantId = 'id' in tenant ? tenant.id : ''
    const made = await createApiKey(useCases, tenantId, 'shop')
    if (!('key' in made)) throw new Error(made.reason)
    expect(made.key).toMatch(/^svc_sk_[A-Za-z0-9_-]{43}$/)
    expect(await ownerOfApiKey(useCases, new TenantStanding(useCases), made.key)).toEqual({
      keyId: made.id,
      tenantId,
      ratePerMinute: null,
    })
    await setApiKeyRate(useCases, made.id, 1_000)
    expect(await ownerOfApiKey(useCases, new TenantStanding(useCases), made.key)).toMatchObject({
      ratePerMinute: 1_000,
    })
    await revokeApiKey(useCases, made.id)
    expect(await ownerOfApiKey(useCases, new TenantStanding(useCases), made.key)).toBeNull()
  })

  it('is made for organisations that exist', async () => {
    expect(await createApiKey(service.useCases, 'ten_00aaaaaaaaaa', 'x')).toMatchObject({
      refused: 'not_found',
    })
  })

  it('that cannot be one is not even asked for', async () => {
    expect(['', 'svc_sk_short', `svc_wt_${'A'.repeat(43)}`].map(apiKeyId)).toEqual([null, null, null])
    expect(await ownerOfApiKey(service.useCases, new TenantStanding(service.useCases), 'x')).toBeNull()
    expect(
      await ownerOfApiKey(service.useCases, new TenantStanding(service.useCases), `svc_sk_${'A'.repeat(43)}`),
    ).toBeNull()
  })
})
