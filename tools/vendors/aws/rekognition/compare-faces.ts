import { type Face, likenessOf } from '../../people/faces.ts'
import { type Picture, pictureOf } from '../../people/picture.ts'
import { isJson, type Json, strangerIn } from '../../wire/json.ts'
import type { Sighting } from '../../wire/heard.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { imageTooLarge, invalidImageFormat, invalidParameter, invalidS3Object } from './refusals.ts'

const IMAGE_BYTES_MAX = 5_242_880
const SIDE_PIXELS_MIN = 80
const FACES_MAX = 100
/** So low a similarity hides much: callers who want to see it all say 0. */
const THRESHOLD_UNLESS_TOLD = 80
const MEMBERS = ['SourceImage', 'TargetImage', 'SimilarityThreshold', 'QualityFilter']
const QUALITIES: readonly unknown[] = ['NONE', 'AUTO', 'LOW', 'MEDIUM', 'HIGH']

export type Compared = { readonly answer: Json | Refusal; readonly images: readonly Sighting[] }

/** `CompareFaces`: the largest face of the source with every face of the target. Nothing of it is kept. */
export const compareFaces = (input: Json): Compared => {
  const source = imageOf(input['SourceImage'])
  const target = imageOf(input['TargetImage'])
  const images = [source, target].flatMap((each) => (isRefusal(each) ? [] : [each.sighting]))
  if (isRefusal(source)) return { answer: source, images }
  if (isRefusal(target)) return { answer: target, images }
  const threshold = thresholdOf(input)
  if (isRefusal(threshold)) return { answer: threshold, images }
  const [largest] = source.faces
  if (largest === undefined || target.faces.length === 0) return { answer: invalidParameter(), images }
  return { answer: comparison(largest, target.faces.slice(0, FACES_MAX), threshold), images }
}

function comparison(source: Face, targets: readonly Face[], threshold: number): Json {
  const compared = targets
    .map((face, place) => ({ Similarity: likenessOf(source, face), Face: shown(place) }))
    .toSorted((one, other) => other.Similarity - one.Similarity)
  return {
    SourceImageFace: { BoundingBox: boxAt(0), Confidence: 99.9 },
    FaceMatches: compared.filter(({ Similarity }) => Similarity >= threshold),
    UnmatchedFaces: compared.filter(({ Similarity }) => Similarity < threshold).map(({ Face: face }) => face),
  }
}

const boxAt = (place: number): Json => ({ Width: 0.3, Height: 0.4, Left: 0.05 + 0.01 * place, Top: 0.2 })

const shown = (place: number): Json => ({
  BoundingBox: boxAt(place),
  Confidence: 99.9,
  Landmarks: [],
  Pose: { Roll: 0, Yaw: 0, Pitch: 0 },
  Quality: { Brightness: 80, Sharpness: 80 },
})

function imageOf(from: unknown): Picture | Refusal {
  if (!isJson(from) || strangerIn(from, ['Bytes', 'S3Object']) !== undefined) return invalidParameter()
  if (from['S3Object'] !== undefined) return invalidS3Object()
  const text = from['Bytes']
  if (typeof text !== 'string' || text === '') return invalidParameter()
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) return new Refusal('SerializationException', 'Bytes are not base64')
  if (bytes.length > IMAGE_BYTES_MAX) return imageTooLarge()
  const picture = pictureOf(bytes)
  if (picture === null) return invalidImageFormat()
  return Math.min(picture.width, picture.height) < SIDE_PIXELS_MIN ? invalidParameter() : picture
}

function thresholdOf(input: Json): number | Refusal {
  const threshold = input['SimilarityThreshold'] ?? THRESHOLD_UNLESS_TOLD
  const quality = input['QualityFilter'] ?? 'NONE'
  const isKnown = strangerIn(input, MEMBERS) === undefined && QUALITIES.includes(quality)
  const isPercent = typeof threshold === 'number' && threshold >= 0 && threshold <= 100
  return isKnown && isPercent ? threshold : invalidParameter()
}
