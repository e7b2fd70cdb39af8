import type { ReferenceImage } from '../ports/face-vendor.ts'

const STARTS = {
  png: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
  jpeg: Buffer.from([0xff, 0xd8, 0xff]),
} as const

/** The format of a picture by how it begins; null for any other content. */
export const formatOf = (bytes: Uint8Array): ReferenceImage['format'] | null => {
  if (beginsWith(bytes, STARTS.png)) return 'png'
  return beginsWith(bytes, STARTS.jpeg) ? 'jpeg' : null
}

const beginsWith = (bytes: Uint8Array, start: Buffer): boolean =>
  start.equals(bytes.subarray(0, start.length))
