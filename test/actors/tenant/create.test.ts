import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/create.ts'
import { readTenant } from '../../../src/actors/tenant/read.ts'
import { type ServiceOnMemory, serviceOnMemory } from '../../compose/service-on-memory.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

describe('creating a tenant', () => {
  it('gives it an identity', async () => {
    const made = await createTenant(service.useCases, 'Registry')
    if (!('id' in made)) throw new Error(made.reason)
    expect(await readTenant(service.useCases, made.id)).toMatchObject({ name: 'Registry', did: made.did })
  })

  it('needs a name', async () => {
    expect(await createTenant(service.useCases, ' ')).toMatchObject({ refused: 'invalid_request' })
  })
})
