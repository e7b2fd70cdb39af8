import { afterAll, describe, expect, it } from 'vitest'
import { directoryRowOf } from '../../src/actors/directory-row.ts'
import { furnishedService } from '../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
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
