import { afterAll, describe, expect, it } from 'vitest'
import { connection } from '../../../src/actors/connection/rules.ts'
import { createApiKey, ownerOfApiKey } from '../../../src/actors/api-key/commands.ts'
import { orderDeletion, resumeTenant, suspendTenant } from '../../../src/actors/tenant/commands.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { furnished, serviceOnMemory } from '../../compose/service-on-memory.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { allowed } from '../account/accounts-world.ts'

const service = await serviceOnMemory()
afterAll(() => service.close())

describe('a suspended organisation', () => {
  it('has no use of its keys until it is resumed, and its holders go on', async () => {
    const { useCases, actors, runtime } = service
    const { tenant, connectionId } = await furnished(service)
    const { key } = allowed(await createApiKey(useCases, { tenant, label: 'shop' }))
    const suspended = allowed(await suspendTenant(useCases, tenant))
    expect(suspended.status).toBe('suspended')
    expect(await ownerOfApiKey(useCases, key ?? '')).toMatchObject({
      refused: 'forbidden',
      reason: /suspended/,
    })
    const complete = { type: 'ReceiveConnectionComplete', atMs: runtime.now() } as const
    const options = { commandId: 'again', tenant }
    const connected = allowed(await actors.ask(connection.ref(connectionId), complete, options))
    expect(connected.status).toBe('completed')
    expect(allowed(await suspendTenant(useCases, tenant))).toEqual(suspended)
    expect(allowed(await resumeTenant(useCases, tenant)).status).toBe('active')
    expect(await ownerOfApiKey(useCases, key ?? '')).toMatchObject({
      tenantId: tenant,
    })
  })

  it('must exist', async () => {
    for (const id of ['ten_00aaaaaaaaaa', 'x'])
      expect(await suspendTenant(service.useCases, id)).toMatchObject({ refused: 'not_found' })
  })
})

describe('the deletion of an organisation', () => {
  const id = 'ten_00aaaaaaaa'
  const activeTenants = { refusal: () => null, rateOf: () => null, forget: () => undefined }

  it.each([
    { name: 'Museum', confirms: 'Museum', not: id },
    { name: null, confirms: id, not: 'Museum' },
  ])('is confirmed by its name, or by its id where it has none: $name', async (each) => {
    const record = { status: 'active', name: each.name }
    const actors = actorsThat({
      read: () => record,
      ask: async () => ({ ...record, status: 'deletion_ordered' }),
    })
    const order = (name: string) =>
      orderDeletion({ actors, runtime: createRuntime(), activeTenants }, id, name)
    expect(await order(each.not)).toMatchObject({ refused: 'invalid_request' })
    expect(await order(each.confirms)).toMatchObject({ status: 'deletion_ordered' })
  })
})
