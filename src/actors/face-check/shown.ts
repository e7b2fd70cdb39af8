import { type Static, Type } from 'typebox'
import { type FaceChecked, faceCheckStatuses } from '../../domain/face-check.ts'
import { choice, isoTime, moment, momentOrNull, recordOf, wordsOrNull } from '../../http/route/fields.ts'

const score = (description: string, example: number) =>
  Type.Union([Type.Number(), Type.Null()], { description, examples: [example] })
const count = (description: string, example: number) => Type.Integer({ description, examples: [example] })

const face = recordOf('Biometric', {
  required: Type.Literal(true, { description: 'Always true.' }),
  status: choice(
    faceCheckStatuses,
    'pending; passed; failed, when no attempt is left; expired, when its time was over first; cancelled, when the exchange ended first.',
    'pending',
  ),
  attempts: count('Attempts that have counted.', 1),
  attemptsRemaining: count('Attempts that are left.', 2),
  livenessScore: score(
    'How sure the vendor was of a living person in the newest attempt, 0 to 100; null where it says none, before an attempt, and once it is erased.',
    98.4,
  ),
  matchScore: score('How alike the face and the reference image were, likewise.', 96.1),
  reason: wordsOrNull(
    'Why the newest attempt was not passed; null where it was, and once it is erased.',
    null,
  ),
  expiresAt: moment('When its time is over.'),
  decidedAt: momentOrNull('When it came to its end.'),
})

/** The face check on the record of an exchange, and in its events. */
export const shownFaceCheck = Type.Union([face, Type.Null()], {
  description: 'The face check; null when no biometric policy applied.',
  examples: [null],
})

export const faceCheckView = (checked: FaceChecked): Static<typeof shownFaceCheck> => {
  const { faceCheck, faceResult = null } = checked
  if (faceCheck === undefined) return null
  const { status, attempts, attemptsRemaining, expiresAtMs, decidedAtMs } = faceCheck
  return {
    required: true,
    status,
    attempts,
    attemptsRemaining,
    livenessScore: faceResult?.livenessScore ?? null,
    matchScore: faceResult?.matchScore ?? null,
    reason: faceResult?.reason ?? null,
    expiresAt: isoTime(expiresAtMs),
    decidedAt: decidedAtMs === null ? null : isoTime(decidedAtMs),
  }
}

/** As it was when the exchange began. */
export const faceCheckAsBegun = ({ faceCheck }: FaceChecked): Static<typeof shownFaceCheck> => {
  if (faceCheck === undefined) return null
  return faceCheckView({
    faceCheck: {
      ...faceCheck,
      status: 'pending',
      attempts: 0,
      attemptsRemaining: faceCheck.attemptsMax,
      decidedAtMs: null,
    },
  })
}
