import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type CatalogueWorld, catalogueWorld, orderedSchema, schemaId, tenantId } from '../catalogue-world.ts'
import { schema } from '../../../src/actors/schema/rules.ts'
import { tenant } from '../../../src/actors/tenant/rules.ts'
import { eventually } from '../../eventually.ts'

let at: CatalogueWorld
beforeEach(async () => {
  at = await catalogueWorld()
})
afterEach(() => at.close())
const status = () => at.actors.read(schema.ref(schemaId))

describe('the actor of a schema', () => {
  it('waits for the identity of its tenant, then publishes in its name', async () => {
    await at.ask(schemaId, orderedSchema)
    await at.createTenant()
    at.runtime.forward(120_000)
    await eventually(async () =>
      expect(await status()).toMatchObject({ status: 'published', ledgerId: 'D:2:person:1.0', seqNo: 7 }),
    )
    expect(at.written).toEqual(['identity D', 'schema by did-of-secret-seed'])
  })

  it('fails when the ledger refuses', async () => {
    await at.createTenant()
    await eventually(() => expect(at.written).toHaveLength(1))
    at.world.refuses = true
    await at.ask(schemaId, orderedSchema)
    await eventually(async () =>
      expect(await status()).toMatchObject({ status: 'failed', lastError: 'the ledger says no' }),
    )
  })

  it('fails when the ledger has refused the identity of its tenant, and says so', async () => {
    at.world.refuses = true
    await at.createTenant()
    await eventually(async () =>
      expect(await at.actors.read(tenant.ref(tenantId))).toMatchObject({ lastError: 'the ledger says no' }),
    )
    at.world.refuses = false
    await at.ask(schemaId, orderedSchema)
    await eventually(async () =>
      expect(await status()).toMatchObject({
        status: 'failed',
        lastError: 'the ledger has refused the identity of the organisation: the ledger says no',
      }),
    )
  })
})
