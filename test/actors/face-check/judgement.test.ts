import { describe, expect, it } from 'vitest'
import { judged, unfit } from '../../../src/actors/face-check/judgement.ts'
import type { Attempt } from '../../../src/ports/face-vendor.ts'

const attempt = (verdict: Attempt['verdict'], matchScore: number): Attempt => ({
  id: String(matchScore),
  verdict,
  livenessScore: null,
  matchScore,
})
const before = { attempts: 0, attemptsRemaining: 2 }

describe('what attempts come to', () => {
  it('counts them in their order up to the one that passed', () => {
    const attempts = [attempt('another-person', 10), attempt('passed', 95), attempt('not-live', 20)] as const
    expect(judged(before, attempts)).toEqual({
      counted: { status: 'passed', attempts: 2, attemptsRemaining: 0 },
      result: { livenessScore: null, matchScore: 95, reason: null },
    })
  })

  it('believes none that came behind the last one that there was', () => {
    const attempts = [attempt('another-person', 10), attempt('not-live', 20), attempt('passed', 99)] as const
    expect(judged(before, attempts)).toMatchObject({
      counted: { status: 'failed', attempts: 2, attemptsRemaining: 0 },
      result: { matchScore: 20 },
    })
  })

  it('takes all attempts away where nobody could pass with the image', () => {
    expect(unfit({ ...before, attempts: 1 }, { kind: 'image-unfit', why: 'no-face' })).toMatchObject({
      counted: { status: 'failed', attempts: 1, attemptsRemaining: 0 },
    })
  })
})
