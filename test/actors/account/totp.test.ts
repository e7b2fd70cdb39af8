import { describe, expect, it } from 'vitest'
import { newTotpSeed, totpStep, totpUrl } from '../../../src/actors/account/totp.ts'

/** RFC 6238, appendix B, SHA-1: the ASCII seed 12345678901234567890 in base32, the last six of its eight digits. */
const SEED = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('time-based codes', () => {
  it('are those of the standard', () => {
    expect(totpStep(SEED, '287082', 59_000)).toBe(1)
    expect(totpStep(SEED, '081804', 1_111_111_109_000)).toBe(37_037_036)
    expect(totpStep(SEED, '005 924', 1_234_567_890_000)).toBe(41_152_263)
  })

  it('count for a step more and a step less, and name the step they are of', () => {
    expect(totpStep(SEED, '287082', 89_000)).toBe(1)
    expect(totpStep(SEED, '287082', 29_000)).toBe(1)
    expect(totpStep(SEED, '287082', 90_000)).toBeNull()
  })

  it('are six digits', () => {
    for (const code of ['', '28708', '2870821', 'abcdef', '94287082'])
      expect(totpStep(SEED, code, 59_000)).toBeNull()
  })

  it('come from seeds of 160 bits that authenticator apps read', () => {
    const seed = newTotpSeed()
    expect(seed).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(totpUrl(seed, 'ann@example.org'))
    expect(url.searchParams.get('secret')).toBe(seed)
    expect(url.searchParams.get('issuer')).toBe('Vouchsafe')
  })
})
