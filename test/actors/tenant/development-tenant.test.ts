import { afterAll, describe, expect, it } from 'vitest'
import { ensureDevelopmentTenant } from '../../../src/actors/tenant/development-tenant.ts'
import { cheapPasswords } from '../account/accounts-world.ts'
import { serviceOnMemory } from '../../compose/service-on-memory.ts'

const service = await serviceOnMemory()
afterAll(() => service.close())

describe('the organisation to try things out with', () => {
  it('is made once, and its key is shown that once', async () => {
    const { useCases, vault } = service
    const publicUrl = () => 'http://127.0.0.1:8080'
    const people = { ...useCases, vault, publicUrl, passwords: cheapPasswords() }
    const shown = await ensureDevelopmentTenant(useCases, people)
    expect(shown.join('\n')).toMatch(/svc_sk_/)
    expect(shown.at(-1)).toMatch(/http:\/\/127\.0\.0\.1:8080\/console\/invitation#acc_00\w+\.[\w-]{59}$/)
    expect(await ensureDevelopmentTenant(useCases, people)).toEqual([])
  })
})
