import { afterAll, describe, expect, it } from 'vitest'
import { publishDefinition } from '../../../src/actors/credential-definition/publish.ts'
import { publishSchema } from '../../../src/actors/schema/publish.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
afterAll(() => service.close())

describe('publishing', () => {
  it('a schema or a definition twice finds the first', async () => {
    const attributes = ['expiresAt', 'name']
    const order = { tenant: at.tenant, name: 'person', version: '1.0', attributes }
    expect(await publishSchema(service.useCases, order)).toMatchObject({ id: at.schemaId })
    const definition = { tenant: at.tenant, schemaId: at.schemaId, tag: 'default' }
    expect(await publishDefinition(service.useCases, definition)).toMatchObject({
      id: at.definitionId,
      definition: { status: 'published' },
    })
  })

  it('a definition needs a schema of the same tenant', async () => {
    for (const schemaId of ['sch_00aaaaaaaaaa', 'x', at.definitionId])
      expect(
        await publishDefinition(service.useCases, { tenant: at.tenant, schemaId, tag: 'x' }),
      ).toMatchObject({
        refused: 'not_found',
      })
  })

  it('needs a tenant that exists', async () => {
    const order = { tenant: 'ten_00aaaaaaaaaa', name: 'p', version: '1.0', attributes: ['expiresAt'] }
    expect(await publishSchema(service.useCases, order)).toMatchObject({ refused: 'not_found' })
  })
})
