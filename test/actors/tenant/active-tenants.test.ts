import { afterAll, describe, expect, it } from 'vitest'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { tenant } from '../../../src/actors/tenant/rules.ts'
import { createTenant, resumeTenant, suspendTenant } from '../../../src/actors/tenant/commands.ts'
import { ActiveTenants } from '../../../src/actors/tenant/read.ts'
import { serviceOnMemory } from '../../compose/service-on-memory.ts'
import { allowed } from '../account/accounts-world.ts'

const service = await serviceOnMemory()
afterAll(() => service.close())

const tenantOf = async () => allowed(await createTenant(service.useCases, 'Registry')).id

describe('whether an organisation is active', () => {
  it('is read once in a second, and again as soon as it was changed here', async () => {
    const id = await tenantOf()
    let reads = 0
    const actors = actorsThat({
      read: (...given: Parameters<typeof service.actors.read>) => {
        reads += 1
        return service.actors.read(...given)
      },
    })
    const activeTenants = new ActiveTenants({ actors })
    for (let times = 0; times < 10; times++) expect(await activeTenants.refusal(id)).toBeNull()
    expect(reads).toBe(1)
    await suspendTenant({ ...service.useCases, activeTenants }, id)
    for (let times = 0; times < 2; times++)
      expect(await activeTenants.refusal(id)).toMatchObject({ refused: 'forbidden' })
    await resumeTenant(service.useCases, id)
    expect(await activeTenants.refusal(id)).toBeNull()
  })

  it('that was read before a suspension does not outlive it', async () => {
    const id = await tenantOf()
    const read = Promise.withResolvers<unknown>()
    const actors = actorsThat({ read: () => read.promise })
    const activeTenants = new ActiveTenants({ actors })
    const reading = activeTenants.refusal(id)
    const active = await service.actors.read(tenant.ref(id))
    await suspendTenant({ ...service.useCases, activeTenants }, id)
    read.resolve(active)
    expect(await reading).toBeNull()
    expect(await new ActiveTenants(service.useCases).refusal(id)).toMatchObject({ refused: 'forbidden' })
    read.promise = Promise.resolve(service.actors.read(tenant.ref(id)))
    expect(await activeTenants.refusal(id)).toMatchObject({ refused: 'forbidden' })
  })
})
