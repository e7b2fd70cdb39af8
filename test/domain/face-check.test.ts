import { describe, expect, it } from 'vitest'
import {
  begunAgain,
  erasedFace,
  type FaceChecked,
  faceAfter,
  faceAtEnd,
  faceTimer,
  isCheckToEnd,
  isHeld,
} from '../../src/domain/face-check.ts'

const pending: FaceChecked = {
  faceCheck: {
    id: 'fck_00aaaaaaaa',
    vendor: 'azure_face',
    status: 'pending',
    attempts: 1,
    attemptsRemaining: 2,
    attemptsMax: 3,
    expiresAtMs: 10_000,
    decidedAtMs: null,
  },
  faceResult: { livenessScore: null, matchScore: 12, reason: 'No.' },
}
const passing = {
  type: 'RecordFaceCheck',
  atMs: 5_000,
  checkId: 'fck_00aaaaaaaa',
  status: 'passed',
  attempts: 2,
  attemptsRemaining: 1,
  result: { livenessScore: null, matchScore: 96, reason: null },
} as const

describe('the face check of an exchange', () => {
  it('holds the exchange until it is passed, and one without a check never', () => {
    expect([isHeld({}), isHeld(pending)]).toEqual([false, true])
    const passed = faceAfter(pending, passing)
    expect(passed).toMatchObject({ faceCheck: { status: 'passed', decidedAtMs: 5_000 } })
    expect(isHeld(passed as FaceChecked)).toBe(false)
    expect(faceTimer(passed as FaceChecked)).toEqual([])
    expect(faceAfter(passed as FaceChecked, passing)).toMatchObject({ refused: 'message_late' })
  })

  it('that is not decided when its exchange ends is cancelled, or expired from its last moment on', () => {
    const cancelled = faceAtEnd(pending, 9_999)
    expect(cancelled.faceCheck).toMatchObject({ status: 'cancelled', decidedAtMs: 9_999 })
    expect(isCheckToEnd(pending, cancelled)).toBe(true)
    const expired = faceAtEnd(pending, 10_000)
    expect(expired.faceCheck).toMatchObject({ status: 'expired' })
    // It ends by itself with its time.
    expect(isCheckToEnd(pending, expired)).toBe(false)
    expect(faceAtEnd({}, 1)).toEqual({})
    expect(faceAfter(pending, { ...passing, atMs: 10_000 })).toMatchObject({ refused: 'message_late' })
  })

  it('has neither scores nor a reason once it is erased', () => {
    expect(erasedFace(pending)).toEqual({ faceCheck: pending.faceCheck, faceResult: null })
    expect(erasedFace({})).toEqual({})
  })

  it('does not begin anew when it is over', () => {
    expect(begunAgain(pending, pending)).toEqual([])
    expect(begunAgain({}, {})).toEqual([])
    expect(begunAgain(faceAtEnd(pending, 1), pending)).toMatchObject({ refused: 'exchange_over' })
  })
})
