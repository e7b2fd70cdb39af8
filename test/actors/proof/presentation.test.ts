import { describe, expect, it } from 'vitest'
import {
  disclosedValues,
  parsePresentation,
  presentedIdentifiers,
} from '../../../src/actors/proof/presentation.ts'

const request = JSON.stringify({
  requested_attributes: {
    person: { names: ['name', 'city'] },
    age: { name: 'age' },
    secret: { names: ['x'] },
  },
})

describe('what a presentation discloses', () => {
  it('is taken over by group, never more than was asked', () => {
    const presentation = {
      requested_proof: {
        revealed_attrs: { age: { raw: '36' }, stranger: { raw: 'no' } },
        revealed_attr_groups: {
          person: { values: { name: { raw: 'Ada' }, city: { raw: 'London' }, salary: { raw: '9' } } },
        },
        self_attested_attrs: { secret: 'no' },
      },
    }
    expect(disclosedValues(request, presentation)).toEqual({
      person: { name: 'Ada', city: 'London' },
      age: { age: '36' },
      secret: {},
    })
  })

  it('is nothing when there is nothing', () => {
    expect(disclosedValues(request, {})).toEqual({ person: {}, age: {}, secret: {} })
    const empty = parsePresentation('{"requested_proof":null}')
    expect(disclosedValues(request, empty)).toEqual({ person: {}, age: {}, secret: {} })
  })
})

describe('what a presentation says it was made from', () => {
  it('is a list of identifiers or nothing', () => {
    const of = (identifiers: unknown) =>
      presentedIdentifiers(parsePresentation(JSON.stringify({ identifiers })))
    expect(of([{ schema_id: 's', cred_def_id: 'd' }])).toEqual([{ schemaId: 's', definitionId: 'd' }])
    for (const identifiers of [
      undefined,
      null,
      [],
      'x',
      [null],
      [{}],
      [{ schema_id: 's' }],
      [{ schema_id: 1, cred_def_id: 'd' }],
      [{ schema_id: 'x'.repeat(100_000), cred_def_id: 'd' }],
    ]) {
      expect(of(identifiers)).toBeNull()
    }
    expect(of(Array.from({ length: 33 }, () => ({ schema_id: 's', cred_def_id: 'd' })))).toBeNull()
    for (const text of ['', 'null', '7', '"x"'])
      expect(presentedIdentifiers(parsePresentation(text))).toBeNull()
  })
})
