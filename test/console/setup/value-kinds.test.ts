import { describe, expect, it } from 'vitest'
import { type DraftAttribute, publishedNames, twiceNamed } from '../../../console/src/setup/value-kinds.ts'

const named = (...names: readonly string[]): readonly DraftAttribute[] =>
  names.map((name) => ({ name, kind: 'text' }))

describe('the attributes of a new schema', () => {
  it('have the end of the credential among them, once', () => {
    expect(publishedNames(named('name', ' birthdate ', '', 'expiresAt'))).toEqual([
      'name',
      'birthdate',
      'expiresAt',
    ])
  })

  it('are named once each', () => {
    expect(twiceNamed(named('name', 'age', 'name ', 'age', 'city'))).toEqual(['name', 'age'])
    expect(twiceNamed(named('name', 'age'))).toEqual([])
  })
})
