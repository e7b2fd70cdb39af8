import { type Picture, pictureOf } from '../people/picture.ts'
import type { WireRequest } from '../wire/request-and-reply.ts'
import type { Face } from '../people/faces.ts'
import {
  type FaceError,
  invalidBody,
  invalidDeviceCorrelationId,
  invalidImage,
  invalidImageSize,
  invalidOperationMode,
  invalidTokenLifetime,
  isFaceError,
} from './face-error.ts'
import { type Part, partsOf } from './multipart.ts'
import type { SessionSettings } from './verify-sessions.ts'

export type WantedSession = {
  readonly settings: SessionSettings
  readonly picture: Picture
  readonly face: Face
}

/** The parts of the operation, as the vendor's client of v1.2 names them. */
const TEXT_PARTS = [
  'livenessOperationMode',
  'deviceCorrelationIdSetInClient',
  'enableSessionImage',
  'livenessModelVersion',
  'returnVerifyImageHash',
  'verifyConfidenceThreshold',
  'deviceCorrelationId',
  'authTokenTimeToLiveInSeconds',
] as const
type TextPart = (typeof TEXT_PARTS)[number]

const MODES = ['Passive', 'PassiveActive']
const MODEL_VERSIONS = ['2024-11-15', '2025-05-20']
const CORRELATION_CHARACTERS_MAX = 64
const TOKEN_SECONDS = { min: 60, max: 86_400, unlessTold: 600 }
const CONFIDENCE_UNLESS_TOLD = 0.5
const IMAGE_BYTES = { min: 1_024, max: 6 * 1_024 * 1_024 }
const FACE_PIXELS_MIN = 36

/** What a request to create a session with an image asks for. */
export const wantedSession = (request: WireRequest): WantedSession | FaceError => {
  const parts = partsOf(request)
  if (parts === null || ![...parts.keys()].every(isKnown)) return invalidBody()
  const settings = settingsOf(parts)
  if (isFaceError(settings)) return settings
  const seen = seenOn(parts.get('verifyImage'))
  return isFaceError(seen) ? seen : { settings, ...seen }
}

const isKnown = (name: string): boolean =>
  name === 'verifyImage' || TEXT_PARTS.some((known) => known === name)

function settingsOf(parts: ReadonlyMap<string, Part>): SessionSettings | FaceError {
  const text = (name: TextPart): string | null => parts.get(name)?.content.toString() ?? null
  if (!MODES.includes(text('livenessOperationMode') ?? '')) return invalidOperationMode()
  const isSetInClient = flagOf(text('deviceCorrelationIdSetInClient'))
  const keepsSessionImage = flagOf(text('enableSessionImage'))
  const tellsImageHash = flagOf(text('returnVerifyImageHash'))
  if (isSetInClient === null || keepsSessionImage === null || tellsImageHash === null) return invalidBody()
  const correlation = text('deviceCorrelationId')
  const isCorrelated =
    correlation !== null && correlation !== '' && correlation.length <= CORRELATION_CHARACTERS_MAX
  if (isSetInClient ? correlation !== null : !isCorrelated) return invalidDeviceCorrelationId()
  const tokenSeconds = numberOf(text('authTokenTimeToLiveInSeconds'), TOKEN_SECONDS.unlessTold)
  if (!Number.isInteger(tokenSeconds) || tokenSeconds < TOKEN_SECONDS.min || tokenSeconds > TOKEN_SECONDS.max)
    return invalidTokenLifetime()
  const confidenceMin = numberOf(text('verifyConfidenceThreshold'), CONFIDENCE_UNLESS_TOLD)
  const modelVersion = text('livenessModelVersion') ?? MODEL_VERSIONS[0] ?? ''
  // The comparison also refuses what is no number.
  if (!(confidenceMin >= 0 && confidenceMin <= 1) || !MODEL_VERSIONS.includes(modelVersion))
    return invalidBody()
  return { tokenSeconds, keepsSessionImage, tellsImageHash, confidenceMin, modelVersion }
}

/** Null for what is neither. */
function flagOf(text: string | null): boolean | null {
  if (text === null) return false
  return text === 'true' ? true : text === 'false' ? false : null
}

const numberOf = (text: string | null, unlessTold: number): number =>
  text === null ? unlessTold : /^\d+(\.\d+)?$/.test(text) ? Number(text) : NaN

/** The image for the comparison, which has to show one face. */
function seenOn(part: Part | undefined): Pick<WantedSession, 'picture' | 'face'> | FaceError {
  if (part === undefined || part.filename === null) return invalidBody()
  if (part.content.length < IMAGE_BYTES.min) return invalidImageSize('Image size is too small.')
  if (part.content.length > IMAGE_BYTES.max) return invalidImageSize('Image size is too big.')
  const picture = pictureOf(part.content)
  if (picture === null) return invalidImage('Decoding error, image format unsupported.')
  const [face, ...others] = Math.min(picture.width, picture.height) < FACE_PIXELS_MIN ? [] : picture.faces
  if (face === undefined) return invalidImage('No face detected in the image.')
  return others.length === 0 ? { picture, face } : invalidImage('There is more than 1 face in the image.')
}
