import { Type } from 'typebox'
import { limits } from '../domain/limits.ts'
import { exact, idText, momentOrNull, recordTimes, wordsOrNull } from '../http/route/fields.ts'
import { shownFaceCheck } from './face-check/shown.ts'

export const connectionIdText = idText('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x')

/** What every exchange says last, whatever it is about. */
export const exchangeOutcome = {
  errorMessage: wordsOrNull(
    'Why the exchange was declined or abandoned; null while nothing went wrong.',
    null,
  ),
  biometric: shownFaceCheck,
  erasedAt: momentOrNull('When its personal data was erased.'),
  ...recordTimes,
}

const START_OF_AN_IMAGE =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQ'

/** The one text of an offer or a request for a proof that may be long. Where no policy applies it is dropped unseen. */
export const referenceImage = {
  path: ['biometric', 'referenceImage'],
  charactersMax: limits.referenceImageCharactersMax,
} as const

/** Sent with an offer or a request for a proof; checked even where it is ignored. */
export const biometricInput = exact(
  {
    referenceImage: Type.String({
      minLength: limits.referenceImageCharactersMin,
      maxLength: limits.referenceImageCharactersMax,
      description: 'One face, as JPEG or PNG in base64.',
      examples: [START_OF_AN_IMAGE],
    }),
  },
  'Needed where the biometric policy asks for a face check, ignored otherwise.',
)
