import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensureDevelopmentTenant } from '../../src/compose/development-tenant.ts'
import { type ServiceOnMemory, serviceOnMemory } from './service-on-memory.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

describe('the organisation to try things out with', () => {
  it('is made once, and its key is shown that once', async () => {
    expect((await ensureDevelopmentTenant(service.useCases)).join('\n')).toMatch(/svc_sk_/)
    expect(await ensureDevelopmentTenant(service.useCases)).toEqual([])
  })
})
