import { afterAll, describe, expect, it } from 'vitest'
import { catalogueCommands } from '../../../src/actors/credential-definition/orders.ts'
import { operateBy } from '../../../src/compose/operate.ts'
import { furnishedService } from '../../compose/service-on-memory.ts'

const { service, at } = await furnishedService()
afterAll(() => service.close())
const operate = operateBy(catalogueCommands(service.useCases))

describe('orders about the catalogue', () => {
  it('check their input', async () => {
    expect(await operate('schema show', { nam: 'x' })).toMatchObject({ refused: 'invalid_request' })
    expect(await operate('schema show', { id: 'sch_00aaaaaaaaaa' })).toMatchObject({ refused: 'not_found' })
  })

  it('show no key of a definition', async () => {
    const shown = await operate('definition show', { id: at.definitionId })
    expect(shown).toMatchObject({ status: 'published', keysMade: true })
    expect(Object.keys(shown)).toEqual(['id', 'tag', 'status', 'keysMade', 'ledgerId', 'lastError'])
  })
})
