import { Type } from 'typebox'
import { momentOrNull, recordTimes, wordsOrNull } from './fields.ts'

export const faceCheck = Type.Null({ description: 'The face check; null when no biometric policy applied.' })

/** What every exchange says last, whatever it is about. */
export const exchangeOutcome = {
  errorMessage: wordsOrNull(
    'Why the exchange was declined or abandoned; null while nothing went wrong.',
    null,
  ),
  biometric: faceCheck,
  erasedAt: momentOrNull('When its personal data was erased.'),
  ...recordTimes,
}
