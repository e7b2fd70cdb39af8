import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organisationCommands } from '../../../src/actors/tenant/orders.ts'
import { type ApiOnMemory, apiOnMemory } from '../../compose/api-on-memory.ts'
import { furnished } from '../../compose/service-on-memory.ts'

type Json = Readonly<Record<string, unknown>>

let at: ApiOnMemory
let commands: ReturnType<typeof organisationCommands>
beforeAll(async () => {
  at = await apiOnMemory()
  commands = organisationCommands({ ...at.service.useCases, directory: at.directory })
})
afterAll(() => at.close())

const order = async (name: string, input: object): Promise<Json> => (await commands[name]?.run(input)) as Json

describe('the orders about organisations and keys', () => {
  it('check their input and know what there is', async () => {
    for (const input of [{ nam: 'x' }, { name: ' ' }])
      expect(await order('tenant create', input)).toMatchObject({ refused: 'invalid_request' })
    for (const name of ['tenant suspend', 'tenant resume'])
      expect(await order(name, { tenant: 'ten_00aaaaaaaaaa' })).toMatchObject({ refused: 'not_found' })
    expect(await order('tenant show', { id: 'x' })).toMatchObject({ refused: 'not_found' })
    expect(await order('key revoke', { id: 'x' })).toMatchObject({ refused: 'not_found' })
    expect(await order('key rate', { id: 'x', perMinute: 5 })).toMatchObject({ refused: 'not_found' })
    expect(await order('key list', { tenant: 'x', page: 1 })).toMatchObject({ refused: 'not_found' })
  })

  it('list, suspend and resume, and show no secret but a new key', async () => {
    const { tenant } = await furnished(at.service)
    expect(await order('tenant show', { id: tenant })).toMatchObject({
      name: 'Registry',
      status: 'active',
      did: 'V4SGRU86Z58d6TV7PBUe6f',
      registered: true,
    })
    expect(await order('tenant suspend', { tenant })).toMatchObject({ id: tenant, status: 'suspended' })
    expect(await order('tenant resume', { tenant })).toMatchObject({ id: tenant, status: 'active' })
    expect(await order('tenant list', { page: 1 })).toMatchObject({ items: [{ id: tenant }], total: 1 })
    const { id, key } = await order('key create', { tenant, label: 'shop' })
    expect(key).toMatch(/^svc_sk_/)
    expect(await order('key rate', { id, perMinute: 600 })).toEqual({ id, perMinute: 600 })
    const listed = await order('key list', { tenant, page: 1 })
    expect(listed).toMatchObject({ items: [{ id, label: 'shop', status: 'active', ratePerMinute: 600 }] })
    expect(JSON.stringify(listed)).not.toContain(String(key))
    expect(await order('key revoke', { id })).toEqual({ id, status: 'revoked' })
  })
})
