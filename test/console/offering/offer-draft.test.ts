import { describe, expect, it } from 'vitest'
import { endOfDay, offerBody } from '../../../console/src/offering/offer-draft.ts'

describe('the end of a credential', () => {
  it('is the last second of its last day, where the person is', () => {
    expect(endOfDay('2027-03-01')).toBe(String(new Date(2027, 2, 2).getTime() / 1_000 - 1))
  })

  it('fits into 32 bits however far away it is meant, and is nothing where no day is', () => {
    expect(endOfDay('2099-12-31')).toBe('2147483647')
    expect(endOfDay('')).toBe('')
  })
})

it('an offer has a value for each name of the schema, and the end', () => {
  const draft = {
    connectionId: 'con_1',
    definitionId: 'def_1',
    externalId: ' member-1 ',
    values: { name: 'Ada', gone: 'of another schema' },
    lastDay: '2027-03-01',
  }
  expect(offerBody(draft, ['name', 'age', 'expiresAt'])).toEqual({
    connectionId: 'con_1',
    credentialDefinitionId: 'def_1',
    attributes: { name: 'Ada', age: '', expiresAt: endOfDay('2027-03-01') },
    externalId: 'member-1',
  })
})
