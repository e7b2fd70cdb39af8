import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/create.ts'
import { resumeTenant, suspendTenant } from '../../../src/actors/tenant/suspension.ts'
import { TenantStanding } from '../../../src/actors/tenant/active-tenants.ts'
import { type ServiceOnMemory, serviceOnMemory } from '../../compose/service-on-memory.ts'
import { allowed } from '../account/accounts-world.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

const tenantOf = async () => allowed(await createTenant(service.useCases, 'Registry')).id

describe('the standing of an organisation', () => {
  it('is asked once in a second, and again as soon as it was changed here', async () => {
    const id = await tenantOf()
    let asked = 0
    const actors = {
      ...service.actors,
      ask: <Reply>(...given: Parameters<typeof service.actors.ask>) => {
        asked += 1
        return service.actors.ask<Reply>(...given)
      },
    }
    const standing = new TenantStanding({ actors, askTimeoutMs: 5_000 })
    for (let times = 0; times < 10; times++) expect(await standing.refusal(id)).toBeNull()
    expect(asked).toBe(1)
    await suspendTenant(service.useCases, id)
    standing.forget(id)
    for (let times = 0; times < 2; times++)
      expect(await standing.refusal(id)).toMatchObject({ refused: 'forbidden' })
    await resumeTenant(service.useCases, id)
    expect(await standing.refusal(id)).toBeNull()
  })

  it('that was read before a suspension does not outlive it', async () => {
    const id = await tenantOf()
    const standing = new TenantStanding(service.useCases)
    const reading = standing.refusal(id)
    await suspendTenant(service.useCases, id)
    standing.forget(id)
    await reading
    expect(await standing.refusal(id)).toMatchObject({ refused: 'forbidden' })
  })
})
