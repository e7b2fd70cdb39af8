import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { directoryRowOf } from '../../src/use-cases/directory-row.ts'
import { furnished, type ServiceOnMemory, serviceOnMemory } from '../compose/service-on-memory.ts'

let service: ServiceOnMemory
let at: Awaited<ReturnType<typeof furnished>>
beforeAll(async () => {
  service = await serviceOnMemory()
  at = await furnished(service)
})
afterAll(() => service.close())

describe('a record', () => {
  it('stands in the lists by what it can be found by', async () => {
    const row = (id: string) => directoryRowOf(service.useCases, id)
    expect(await row(at.connectionId)).toMatchObject({
      kind: 'connection',
      tenant: at.tenant,
      state: 'completed',
      filters: { invitationId: 'inv_00aaaaaaaaaa' },
      searchText: 'Guest 1\nPhone',
    })
    expect(await row(at.definitionId)).toMatchObject({
      kind: 'credential-definition',
      searchText: 'person\ndefault',
    })
    expect(await row(at.tenant)).toMatchObject({ kind: 'tenant', tenant: 'operators' })
    expect(await row(`inv${at.connectionId.slice(3)}`)).toBeNull()
  })
})
