import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS, met, refuse } from '../../../src/domain/exchanges/change.ts'

describe('the words that all exchanges share', () => {
  it('a holder has 24 hours', () => {
    expect(HOLDER_WAIT_MS).toBe(24 * 60 * 60 * 1000)
  })

  it('a refusal is a reply with a code and a sentence', () => {
    expect(refuse('not_found', 'There is none.')).toEqual({ refused: 'not_found', reason: 'There is none.' })
    expect(met('late')).toEqual({ met: 'late' })
  })
})
