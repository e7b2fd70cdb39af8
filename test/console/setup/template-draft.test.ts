import { describe, expect, it } from 'vitest'
import {
  draftOf,
  emptyGroup,
  EMPTY_TEMPLATE,
  templateBody,
  withDefinitions,
} from '../../../console/src/setup/template-draft.ts'

const predicate = { attribute: 'birthdate', operator: '<=', form: 'yearsAgo', value: '18' } as const
const draft = {
  ...EMPTY_TEMPLATE,
  name: ' Adults only ',
  groups: [
    {
      ...emptyGroup(1),
      name: ' person ',
      definitionIds: ['d'],
      attributes: ['name'],
      predicates: [predicate],
    },
    {
      ...emptyGroup(2),
      definitionIds: ['e'],
      predicates: [
        { attribute: 'score', operator: '>', form: 'number', value: '-5' } as const,
        { attribute: 'until', operator: '>=', form: 'secondsFromNow', value: '60' } as const,
      ],
    },
  ],
}

describe('a template as people write it', () => {
  it('is sent with its comparisons beside the groups', () => {
    expect(templateBody(draft)).toEqual({
      name: 'Adults only',
      description: null,
      groups: [
        { name: 'person', credentialDefinitionIds: ['d'], attributes: ['name'] },
        { name: 'credential-2', credentialDefinitionIds: ['e'], attributes: [] },
      ],
      predicates: [
        { group: 'person', attribute: 'birthdate', operator: '<=', value: { yearsAgo: 18 } },
        { group: 'credential-2', attribute: 'score', operator: '>', value: -5 },
        { group: 'credential-2', attribute: 'until', operator: '>=', value: { secondsFromNow: 60 } },
      ],
      biometricRequired: false,
    })
  })

  it('asks nothing more that the credentials which may answer now do not have', () => {
    const [group = emptyGroup(1)] = draft.groups
    const asked = { ...group, attributes: ['name', 'berth'] }
    expect(withDefinitions(asked, ['e'], ['name', 'score'])).toEqual({
      ...group,
      definitionIds: ['e'],
      attributes: ['name'],
      predicates: [],
    })
    // Between one credential and the next none is chosen.
    expect(withDefinitions(asked, [], [])).toEqual({ ...asked, definitionIds: [] })
  })

  it('is the same after it was saved and opened again', () => {
    const saved = templateBody(draft)
    expect(templateBody(draftOf({ ...saved, biometricRequired: true }))).toEqual({
      ...saved,
      biometricRequired: true,
    })
  })
})
