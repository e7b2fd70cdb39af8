import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorCommands } from '../../src/compose/operator.ts'
import { furnished, type ServiceOnMemory, serviceOnMemory } from './service-on-memory.ts'

let service: ServiceOnMemory
beforeAll(async () => {
  service = await serviceOnMemory()
})
afterAll(() => service.close())

describe('the commands of the operator', () => {
  it('check their input and know their names', async () => {
    const operate = operatorCommands(service.useCases)
    expect(await operate('schema show', { nam: 'x' })).toMatchObject({ refused: 'invalid_request' })
    expect(await operate('toString', {})).toMatchObject({ refused: 'not_found' })
    expect(await operate('schema show', { id: 'sch_00aaaaaaaaaa' })).toMatchObject({ refused: 'not_found' })
  })

  it('show no key of a definition', async () => {
    const operate = operatorCommands(service.useCases)
    const { definitionId } = await furnished(service)
    expect(await operate('definition show', { id: definitionId })).toMatchObject({
      status: 'published',
      keysMade: true,
    })
  })
})
