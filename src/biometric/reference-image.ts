import { isRefused, type Refused, refuse } from '../domain/decider.ts'
import { limits } from '../domain/limits.ts'
import type { ReferenceImage } from '../ports/face-vendor.ts'
import { readJpeg } from './jpeg.ts'
import { formatOf } from './picture-format.ts'
import { readPng } from './png.ts'

const SIDE_PIXELS_MIN = 80

/**
 * The image of a request, if vendors will be able to read it. Its format is found in its content, its structure is
 * walked from the first byte to the last, and its pixels are never decoded: a picture that attacks decoders attacks
 * nothing here.
 */
export const referenceImageOf = (base64: string): ReferenceImage | Refused => {
  const bytes = decoded(base64)
  if (isRefused(bytes)) return bytes
  const format = formatOf(bytes)
  if (format === null) return invalid('is neither a JPEG nor a PNG')
  const size = format === 'jpeg' ? readJpeg(bytes) : readPng(bytes)
  if (typeof size === 'string') return invalid(size)
  const { width, height } = size
  if (Math.min(width, height) < SIDE_PIXELS_MIN)
    return invalid(`has ${width} × ${height} pixels; each side needs at least ${SIDE_PIXELS_MIN}`)
  return { format, bytes, width, height }
}

/**
 * Only the usual alphabet, padded, without line breaks: what decoders pass over in silence could hide a mistake. They
 * pass over it by giving fewer bytes, and read the alphabet of addresses as well.
 */
function decoded(base64: string): Buffer | Refused {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0
  const expected = (base64.length / 4) * 3 - padding
  if (expected > limits.referenceImageBytesMax)
    return invalid(`has more than ${limits.referenceImageBytesMax} bytes when it is decoded`)
  const isUsual = base64.length % 4 === 0 && !base64.includes('-') && !base64.includes('_')
  const bytes = isUsual ? Buffer.from(base64, 'base64') : null
  return bytes?.length === expected
    ? bytes
    : invalid('is not base64: only letters, digits, + and /, with = at the end where it is needed')
}

const invalid = (what: string): Refused =>
  refuse('reference_image_invalid', `biometric.referenceImage ${what}.`)
