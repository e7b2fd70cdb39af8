import { describe, expect, it } from 'vitest'
import { obstacleSentence } from '../../src/biometric/obstacle-sentence.ts'
import { away, refused } from '../../src/biometric/outcomes.ts'

describe('what stands in the way of a check', () => {
  it('is a sentence, whoever is at fault', () => {
    expect(obstacleSentence(away('redirected'))).toMatch(/redirects are not followed\.$/)
    expect(obstacleSentence(refused('key', 'The key is wrong.'))).toBe('The key is wrong.')
  })
})
