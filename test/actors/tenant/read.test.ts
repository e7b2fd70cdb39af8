import { afterAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { tenant } from '../../../src/actors/tenant/rules.ts'
import { activeTenant, readTenant } from '../../../src/actors/tenant/read.ts'
import { serviceOnMemory } from '../../compose/service-on-memory.ts'

const service = await serviceOnMemory()
afterAll(() => service.close())

describe('a tenant that wants to begin something', () => {
  it('may while it is active', async () => {
    const made = await createTenant(service.useCases, 'Registry')
    const id = 'id' in made ? made.id : ''
    expect(await activeTenant(service.useCases, id)).toMatchObject({ status: 'active' })
    const options = { commandId: 'suspend', tenant: null }
    await service.actors.ask(tenant.ref(id), { type: 'SuspendTenant', atMs: 1 }, options)
    expect(await activeTenant(service.useCases, id)).toMatchObject({ refused: 'forbidden' })
  })

  it('is read under its own kind of id only', async () => {
    for (const id of ['ten_00aaaaaaaaaa', 'key_00aaaaaaaaaa', 'x'])
      expect(await readTenant(service.useCases, id)).toMatchObject({ refused: 'not_found' })
  })
})
