import { crc32 } from 'node:zlib'
import { CUT_OFF, type PictureSize, trailing } from './picture-size.ts'

/** Behind the signature, which is known to be there. */
const FIRST_CHUNK_AT = 8
/** Length and type before the content, and the sum behind it. */
const AROUND_CONTENT = 12
/** Pictures of 5 MB in pieces of 1 KB have half as many. */
const CHUNKS_MAX = 10_000
const ANIMATION: readonly string[] = ['acTL', 'fcTL', 'fdAT']
const KNOWN_CRITICAL: readonly string[] = ['IHDR', 'PLTE', 'IDAT', 'IEND']
/** Which bit depths each colour type has. */
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}
const PALETTE = 3

type Chunk = { readonly type: string; readonly content: Buffer; readonly endsAt: number }

/** Walks all chunks with their sums; nothing is inflated, and nothing of the picture is copied. */
export const readPng = (bytes: Buffer): PictureSize => {
  let size: Exclude<PictureSize, string> | null = null
  let colours = 0
  let hasPalette = false
  let data: 'none yet' | 'open' | 'over' = 'none yet'
  let at = FIRST_CHUNK_AT
  for (let count = 0; count < CHUNKS_MAX; count += 1) {
    const chunk = chunkAt(bytes, at)
    if (typeof chunk === 'string') return chunk
    const { type, content, endsAt } = chunk
    at = endsAt
    if ((type === 'IHDR') !== (size === null)) return 'does not begin with one header'
    if (ANIMATION.includes(type)) return 'is animated: one picture alone is allowed'
    if (type === 'IHDR') {
      const header = headerOf(content)
      if (typeof header === 'string') return header
      size = header
      colours = content[9] ?? 0
    } else if (type === 'PLTE') {
      if (hasPalette || data !== 'none yet' || content.length === 0 || content.length > 768)
        return 'has a palette where none may be'
      hasPalette = true
    } else if (type === 'IDAT') {
      if (data === 'over') return 'has its data in several places'
      if (colours === PALETTE && !hasPalette) return 'has no palette'
      data = 'open'
    } else if (type === 'IEND') {
      if (data === 'none yet' || content.length > 0) return 'has no picture in it'
      return at === bytes.length && size !== null ? size : trailing(bytes.length - at)
    } else if (!isAncillary(type)) return `has a part that no reader knows (${type})`
    if (data === 'open' && type !== 'IDAT') data = 'over'
  }
  return `has more than ${CHUNKS_MAX} parts`
}

function chunkAt(bytes: Buffer, at: number): Chunk | string {
  if (at + AROUND_CONTENT > bytes.length) return CUT_OFF
  const length = bytes.readUInt32BE(at)
  const endsAt = at + AROUND_CONTENT + length
  if (endsAt > bytes.length) return CUT_OFF
  const type = bytes.toString('latin1', at + 4, at + 8)
  if (!/^[A-Za-z]{2}[A-Z][A-Za-z]$/.test(type)) return 'is damaged: a part of it has no name'
  if (crc32(bytes.subarray(at + 4, endsAt - 4)) !== bytes.readUInt32BE(endsAt - 4))
    return `is damaged: the sum of a part (${type}) is wrong`
  return { type, content: bytes.subarray(at + 8, endsAt - 4), endsAt }
}

const SIDE_PIXELS_MAX = 0x7fff_ffff

function headerOf(content: Buffer): PictureSize {
  if (content.length !== 13) return 'has a header of another length'
  const [width, height] = [content.readUInt32BE(0), content.readUInt32BE(4)]
  const [depth = 0, colours = 0, compression, filter, interlace = 0] = content.subarray(8)
  const isKnown =
    DEPTHS[colours]?.includes(depth) === true && compression === 0 && filter === 0 && interlace <= 1
  if (!isKnown) return 'has a header that no reader knows'
  return Math.max(width, height) <= SIDE_PIXELS_MAX
    ? { width, height }
    : 'is wider or higher than any picture'
}

/** The first letter says that readers may pass over what they do not know. */
const isAncillary = (type: string): boolean => !KNOWN_CRITICAL.includes(type) && /^[a-z]/.test(type)
