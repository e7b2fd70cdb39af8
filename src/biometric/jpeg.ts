import { CUT_OFF, type PictureSize, trailing } from './picture-size.ts'

/** Progressive pictures have some 40, a profile of colours in pieces some 80. */
const SEGMENTS_MAX = 1_000
const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const APP_2 = 0xe2
const MULTI_PICTURE = Buffer.from('MPF\0', 'latin1')
/** Baseline, extended and progressive: what cameras and programs write, and what every reader reads. */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2]
/** Lossless, hierarchical and arithmetic pictures, heights that come later, and what belongs to them. */
const FOREIGN: readonly number[] = [
  0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xdc, 0xde, 0xdf,
]
const COMPONENTS: readonly number[] = [1, 3, 4]
const SEVERAL = 'has several pictures in it: one alone is allowed'

type Marker = { readonly marker: number; readonly endsAt: number }

/** Walks the segments and skips over the data of the scans; nothing is decoded, and nothing is copied. */
export const readJpeg = (bytes: Buffer): PictureSize => {
  let size: Exclude<PictureSize, string> | null = null
  let scans = 0
  // Behind the marker of the start, which is known to be there.
  let at = 2
  for (let count = 0; count < SEGMENTS_MAX; count += 1) {
    const found = markerAt(bytes, at)
    if (typeof found === 'string') return found
    const { marker, endsAt } = found
    if (marker === END_OF_IMAGE) {
      if (size === null || scans === 0) return 'has no picture in it'
      return endsAt === bytes.length ? size : trailing(bytes.length - endsAt)
    }
    if (marker === START_OF_IMAGE) return SEVERAL
    const content = contentAt(bytes, endsAt)
    if (typeof content === 'string') return content
    at = endsAt + 2 + content.length
    if (isMultiPicture(marker, content)) return SEVERAL
    if (FOREIGN.includes(marker)) return 'is a sort of JPEG that hardly any reader knows'
    if (FRAMES.includes(marker)) {
      const frame: PictureSize = size === null ? frameOf(content) : SEVERAL
      if (typeof frame === 'string') return frame
      size = frame
    }
    if (marker !== START_OF_SCAN) continue
    if (size === null || !isScanHead(content)) return 'is damaged: its data has no header'
    scans += 1
    at = endOfData(bytes, at)
  }
  return `has more than ${SEGMENTS_MAX} parts`
}

/** Any number of bytes FF may fill the room before a marker. */
function markerAt(bytes: Buffer, start: number): Marker | string {
  if (start >= bytes.length) return CUT_OFF
  if (bytes[start] !== 0xff) return 'is damaged: a part of it does not begin where the one before ends'
  let at = start + 1
  while (bytes[at] === 0xff) at += 1
  const marker = bytes[at]
  if (marker === undefined) return CUT_OFF
  const isMarker = marker >= 0xc0 && !isRestart(marker)
  return isMarker ? { marker, endsAt: at + 1 } : 'is damaged: a part of it has no name'
}

function contentAt(bytes: Buffer, at: number): Buffer | string {
  if (at + 2 > bytes.length) return CUT_OFF
  const length = bytes.readUInt16BE(at)
  if (length < 2) return 'is damaged: a part of it has no length'
  return at + length > bytes.length ? CUT_OFF : bytes.subarray(at + 2, at + length)
}

const isMultiPicture = (marker: number, content: Buffer): boolean =>
  marker === APP_2 && content.subarray(0, MULTI_PICTURE.length).equals(MULTI_PICTURE)

function frameOf(content: Buffer): PictureSize {
  const [depth, , , , , components = 0] = content
  const isKnown = depth === 8 && COMPONENTS.includes(components) && content.length === 6 + 3 * components
  if (!isKnown) return 'has a header that no reader knows'
  return { height: content.readUInt16BE(1), width: content.readUInt16BE(3) }
}

function isScanHead(content: Buffer): boolean {
  const components = content[0] ?? 0
  return components >= 1 && components <= 4 && content.length === 4 + 2 * components
}

/** The data ends before the first marker in it that is neither a zero, which stands for FF itself, nor a restart. */
function endOfData(bytes: Buffer, start: number): number {
  for (let at = start; at + 1 < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] ?? 0
    if (next !== 0 && !isRestart(next)) return at
  }
  return bytes.length
}

const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7
