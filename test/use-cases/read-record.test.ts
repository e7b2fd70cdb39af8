import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRecord } from '../../src/use-cases/read-record.ts'
import { furnished, type ServiceOnMemory, serviceOnMemory } from '../compose/service-on-memory.ts'

let service: ServiceOnMemory
let at: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  service = await serviceOnMemory()
  at = await furnished(service)
})
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
