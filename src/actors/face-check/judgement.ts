import type { FaceResult } from '../../domain/face-check.ts'
import type { Attempt, ImageUnfit } from '../../ports/face-vendor.ts'
import type { Counted, FaceCheckRecord } from './state.ts'

/** All that organisations are told of why an attempt was not passed. */
const REASONS: Readonly<Record<Exclude<Attempt['verdict'], 'passed'>, string>> = {
  'not-live': 'The vendor did not find a living person.',
  'another-person': 'The face does not match the reference image.',
  'not-compared': 'The vendor got no picture that could be compared with the reference image.',
}

const UNFIT: Readonly<Record<ImageUnfit['why'], string>> = {
  'no-face': 'The vendor finds no face in the reference image.',
  'several-faces': 'The vendor finds several faces in the reference image.',
  'not-accepted': 'The vendor does not take the reference image.',
}

export type Judgement = { readonly counted: Counted; readonly result: FaceResult }

type Before = Pick<FaceCheckRecord, 'attempts' | 'attemptsRemaining'>

/** Attempts count in their order, up to the first that is passed or the last that there was. */
export const judged = (before: Before, attempts: readonly [Attempt, ...Attempt[]]): Judgement => {
  let { attempts: count, attemptsRemaining } = before
  let [newest] = attempts
  for (const attempt of attempts) {
    count += 1
    attemptsRemaining = Math.max(0, attemptsRemaining - 1)
    newest = attempt
    if (attempt.verdict === 'passed' || attemptsRemaining === 0) break
  }
  const { verdict, livenessScore, matchScore } = newest
  const status = verdict === 'passed' ? 'passed' : attemptsRemaining === 0 ? 'failed' : 'pending'
  const reason = verdict === 'passed' ? null : REASONS[verdict]
  return {
    counted: { status, attempts: count, attemptsRemaining },
    result: { livenessScore, matchScore, reason },
  }
}

/** Nobody can pass with such an image, so nobody is asked to try. */
export const unfit = ({ attempts }: Before, { why }: ImageUnfit): Judgement => ({
  counted: { status: 'failed', attempts, attemptsRemaining: 0 },
  result: { livenessScore: null, matchScore: null, reason: UNFIT[why] },
})
