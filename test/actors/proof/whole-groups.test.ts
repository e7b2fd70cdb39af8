import { describe, expect, it } from 'vitest'
import { answersWholeGroups, parsePresentation } from '../../../src/actors/proof/presentation.ts'

const request = JSON.stringify({
  requested_attributes: { person: { names: ['name'] }, 'person.0': { names: ['x'] } },
  requested_predicates: { 'person.0': {}, 'person.1': {}, 'job.0': {}, 'person.0.0': {} },
})
const presentation = (indexes: Record<string, unknown>) =>
  parsePresentation(
    JSON.stringify({
      requested_proof: {
        revealed_attr_groups: {
          person: { sub_proof_index: indexes['person'] },
          'person.0': { sub_proof_index: indexes['other'] },
        },
        predicates: {
          'person.0': { sub_proof_index: indexes['fresh'] },
          'person.1': { sub_proof_index: indexes['age'] },
          'job.0': { sub_proof_index: indexes['job'] },
          'person.0.0': { sub_proof_index: indexes['other'] },
        },
      },
    }),
  )
const honest = { person: 0, fresh: 0, age: 0, job: 1, other: 2 }

describe('a group of a presentation', () => {
  it('is answered by one credential, each group by its own', () => {
    expect(answersWholeGroups(request, presentation(honest))).toBe(true)
  })

  it.each([
    ['the expiry of another credential', { ...honest, fresh: 1 }],
    ['a predicate of another credential', { ...honest, age: 1 }],
    ['attributes of another credential', { ...honest, person: 1 }],
    ['an answer that names no credential', { ...honest, fresh: '0' }],
    ['a predicate that is not answered', { ...honest, job: undefined }],
  ])('is not answered by %s', (_name, indexes) => {
    expect(answersWholeGroups(request, presentation(indexes))).toBe(false)
  })

  it('is not answered by nothing', () => {
    expect(answersWholeGroups(request, {})).toBe(false)
  })
})
