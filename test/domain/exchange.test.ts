import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS, met } from '../../src/domain/exchange.ts'

describe('the words that all exchanges share', () => {
  it('a holder has 24 hours', () => {
    expect(HOLDER_WAIT_MS).toBe(24 * 60 * 60 * 1000)
  })

  it('how a message was met is a reply of its own', () => {
    expect(met('late')).toEqual({ met: 'late' })
  })
})
