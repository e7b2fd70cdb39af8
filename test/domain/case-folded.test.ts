import { describe, expect, it } from 'vitest'
import { fold } from '../../src/domain/case-folded.ts'

describe('fold', () => {
  it.each([
    ['ÄMTER', 'ämter'],
    ['Straße', 'STRASSE'],
    ['ΟΔΟΣ', 'οδος'],
    ['ŁÓDŹ', 'łódź'],
    ['Ко́фе', 'КО́ФЕ'],
    ['e\u0301', 'É'],
  ])('makes %s and %s one', (one, other) => {
    expect(fold(one)).toBe(fold(other))
  })

  it('keeps what is no letter, and letters apart that differ', () => {
    expect(fold('50%_\\\n')).toBe('50%_\\\n')
    expect(fold('a')).not.toBe(fold('ä'))
  })

  it('finds a part of a folded word by the part, wherever a final letter would look different', () => {
    expect(fold('ΟΔΟΣΑ').includes(fold('οδος'))).toBe(true)
  })
})
