import { createHash } from 'node:crypto'
import type { Sighting } from '../wire/heard.ts'
import { type Face, facesNotedIn, HOLDER } from './faces.ts'

/** What a vendor finds out about the bytes of a picture. */
export type Picture = {
  readonly width: number
  readonly height: number
  readonly faces: readonly Face[]
  readonly sighting: Sighting
}

type Read = { readonly width: number; readonly height: number; readonly comments: readonly string[] }

const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const JPEG_START = Buffer.from([0xff, 0xd8])
const JPEG_END = Buffer.from([0xff, 0xd9])

/** Null for what is neither a whole JPEG nor a whole PNG. A picture without a note shows the holder. */
export const pictureOf = (bytes: Buffer): Picture | null => {
  const read = bytes.subarray(0, 8).equals(PNG_START) ? readPng(bytes) : readJpeg(bytes)
  if (read === null || read.width === 0 || read.height === 0) return null
  const noted = read.comments.map(facesNotedIn).find((each) => each !== null)
  return {
    width: read.width,
    height: read.height,
    faces: noted ?? [{ person: HOLDER }],
    sighting: sightingOf(bytes),
  }
}

export const sightingOf = (bytes: Buffer): Sighting => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes: bytes.length,
})

function readPng(bytes: Buffer): Read | null {
  let at = PNG_START.length
  let size: Pick<Read, 'width' | 'height'> | null = null
  const comments: string[] = []
  while (at + 12 <= bytes.length) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const content = bytes.subarray(at + 8, at + 8 + length)
    if (content.length < length) return null
    if (type === 'IHDR' && length === 13)
      size = { width: content.readUInt32BE(0), height: content.readUInt32BE(4) }
    if (type === 'tEXt') comments.push(content.toString().split('\0').slice(1).join('\0'))
    if (type === 'IEND') return size && { ...size, comments }
    at += 12 + length
  }
  return null
}

function readJpeg(bytes: Buffer): Read | null {
  if (!bytes.subarray(0, 2).equals(JPEG_START) || !bytes.subarray(-2).equals(JPEG_END)) return null
  let at = 2
  let size: Pick<Read, 'width' | 'height'> | null = null
  const comments: string[] = []
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const length = bytes.readUInt16BE(at + 2)
    const content = bytes.subarray(at + 4, at + 2 + length)
    if (length < 2 || content.length < length - 2) return null
    if (isFrame(marker) && content.length >= 5)
      size = { height: content.readUInt16BE(1), width: content.readUInt16BE(3) }
    if (marker === 0xfe) comments.push(content.toString())
    // Behind the head of the scan there is nothing but the picture itself.
    if (marker === 0xda) return size && { ...size, comments }
    at += 2 + length
  }
  return null
}

/** The start of a frame, in each of JPEG's ways of coding; between them stand tables. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}
