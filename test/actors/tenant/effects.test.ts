import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CatalogueWorld, catalogueWorld, tenantId } from '../catalogue-world.ts'
import { tenant } from '../../../src/actors/tenant/rules.ts'
import { eventually } from '../../eventually.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
})
afterEach(() => at.close())
const read = () => at.actors.read(tenant.ref(tenantId))

describe('the actor of a tenant', () => {
  it('brings its identity to the ledger, once the ledger is there', async () => {
    at.world.away = true
    await at.createTenant()
    expect(await read()).toMatchObject({ registered: false })
    at.world.away = false
    at.runtime.forward(120_000)
    await eventually(async () => expect(await read()).toMatchObject({ registered: true }))
    expect(at.written).toEqual(['identity D'])
  })

  it('notes why the ledger refused', async () => {
    at.world.refuses = true
    await at.createTenant()
    await eventually(async () =>
      expect(await read()).toMatchObject({ registered: false, lastError: 'the ledger says no' }),
    )
  })

  it('has its seed after a restart', async () => {
    await at.createTenant()
    await at.restart()
    expect(await read()).toMatchObject({ seed: 'secret-seed', name: 'R' })
  })
})
