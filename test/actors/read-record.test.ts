import { afterAll, describe, expect, it } from 'vitest'
import { readRecord } from '../../src/actors/read-record.ts'
import { furnishedService } from '../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
afterAll(() => service.close())

describe('a record', () => {
  it('is read by its tenant, under its own kind', async () => {
    const { useCases } = service
    const read = (tenant: string | null, id: string) => readRecord(useCases, tenant, 'con', id)
    expect(await read(at.tenant, at.connectionId)).toMatchObject({ status: 'completed' })
    expect(await read('ten_00aaaaaaaaaa', at.connectionId)).toBeNull()
    expect(await read(at.tenant, 'con_00bbbbbbbbbb')).toBeNull()
    expect(await read(at.tenant, at.schemaId)).toBeNull()
    expect(await read(at.tenant, '../x')).toBeNull()
  })
})
