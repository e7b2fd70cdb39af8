import type { CompareFacesCommandOutput } from '@aws-sdk/client-rekognition'
import type { AskedSession, Attempt, ImageUnfit, Obstacle, Reading } from '../../ports/face-vendor.ts'
import { away } from '../outcomes.ts'
import { formatOf } from '../picture-format.ts'
import type { AwsAccount } from './aws-account.ts'
import type { AwsCalls } from './aws-calls.ts'
import type { AwsFailure } from './aws-refusals.ts'

type Asked = AskedSession & {
  readonly account: AwsAccount
  readonly signal: AbortSignal
  readonly nowMs: number
}

/** A session is for one attempt. The images are compared only where the person is alive by the organisation's measure. */
export const readSession = async (calls: AwsCalls, asked: Asked): Promise<Reading> => {
  const results = await calls.results(asked.sessionId, asked)
  if ('obstacle' in results) return unlessLost(results)
  if (results.SessionId !== asked.sessionId) return away('contradictory')
  switch (results.Status) {
    case 'CREATED':
    case 'IN_PROGRESS':
      return { kind: asked.nowMs < asked.lapsesAtMs ? 'not-yet' : 'lapsed' }
    case 'EXPIRED':
      return { kind: 'lapsed' }
    case 'FAILED':
      return attempt(asked, { verdict: 'not-live', livenessScore: null, matchScore: null })
    case 'SUCCEEDED':
      return isPercent(results.Confidence)
        ? judged(calls, asked, { livenessScore: results.Confidence, face: results.ReferenceImage?.Bytes })
        : away('unreadable')
    default:
      return away('unreadable')
  }
}

const unlessLost = ({ code, obstacle }: AwsFailure): Reading =>
  code === 'SessionNotFoundException' ? { kind: 'lost' } : obstacle

type Captured = { readonly livenessScore: number; readonly face: Uint8Array | undefined }

async function judged(calls: AwsCalls, asked: Asked, { livenessScore, face }: Captured): Promise<Reading> {
  if (livenessScore < asked.livenessMin)
    return attempt(asked, { verdict: 'not-live', livenessScore, matchScore: null })
  if (face === undefined) return attempt(asked, { verdict: 'not-compared', livenessScore, matchScore: null })
  // The client hands on what is no text as it is.
  if (!(face instanceof Uint8Array) || formatOf(face) === null) return away('unreadable')
  const compared = await calls.compare({ source: face, target: asked.image.bytes }, asked)
  if ('obstacle' in compared)
    return compared.code === NO_FACE
      ? withoutFace(calls, asked, { livenessScore, face })
      : unlessUnfit(compared)
  const match = matchIn(compared)
  if (match === null) return attempt(asked, { verdict: 'another-person', livenessScore, matchScore: null })
  if (typeof match !== 'number') return match
  const verdict = match >= asked.matchMin ? 'passed' : 'another-person'
  return attempt(asked, { verdict, livenessScore, matchScore: match })
}

/**
 * One of the two pictures shows no face, and AWS does not say which. An image without a face ends a check for good, so
 * it is blamed only where the picture of the session shows one.
 */
async function withoutFace(
  calls: AwsCalls,
  asked: Asked,
  { livenessScore, face }: { readonly livenessScore: number; readonly face: Uint8Array },
): Promise<Reading> {
  const itself = await calls.compare({ source: face, target: face }, asked)
  if (!('obstacle' in itself)) return unfit('no-face')
  return itself.code === NO_FACE
    ? attempt(asked, { verdict: 'not-compared', livenessScore, matchScore: null })
    : itself.obstacle
}

/** AWS has the same word for other parameters that are wrong, and there are none here that could be. */
const NO_FACE = 'InvalidParameterException'

const attempt = ({ sessionId }: Asked, rest: Omit<Attempt, 'id'>): Reading => ({
  kind: 'results',
  attempts: [{ id: sessionId, ...rest }],
})

function unlessUnfit({ code, obstacle }: AwsFailure): ImageUnfit | Obstacle {
  const isNotAccepted = code === 'ImageTooLargeException' || code === 'InvalidImageFormatException'
  return isNotAccepted ? unfit('not-accepted') : obstacle
}

/**
 * Every face of the target is either like the source or not, so both lists together are all there are. Null for one that
 * is not, of which AWS tells no likeness: it is an attempt all the same.
 */
function matchIn({
  FaceMatches,
  UnmatchedFaces,
}: CompareFacesCommandOutput): number | null | ImageUnfit | Obstacle {
  if (!Array.isArray(FaceMatches) || !Array.isArray(UnmatchedFaces)) return away('unreadable')
  const faces = FaceMatches.length + UnmatchedFaces.length
  if (faces !== 1) return unfit(faces === 0 ? 'no-face' : 'several-faces')
  if (UnmatchedFaces.length === 1) return null
  const similarity = FaceMatches[0]?.Similarity
  return isPercent(similarity) ? similarity : away('unreadable')
}

const unfit = (why: ImageUnfit['why']): ImageUnfit => ({ kind: 'image-unfit', why })

const isPercent = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 100
