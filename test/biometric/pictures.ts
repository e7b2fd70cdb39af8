import { crc32 } from 'node:zlib'
import { type Portrait, portrait } from '../../tools/vendors/people/portrait.ts'

export const jpeg = (more: Partial<Portrait> = {}): Buffer =>
  portrait({ faces: [{ person: 'holder' }], ...more })

export const png = (more: Partial<Portrait> = {}): Buffer => jpeg({ format: 'png', ...more })

export type Chunk = { readonly type: string; readonly content: Buffer; readonly sum?: number }

/** The chunks of a whole PNG. */
export const chunksOf = (bytes: Buffer): Chunk[] => {
  const chunks: Chunk[] = []
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    chunks.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      content: bytes.subarray(at + 8, at + 8 + length),
    })
    at += 12 + length
  }
  return chunks
}

/** A PNG of these chunks, with the right sums unless told otherwise. */
export const pngOf = (chunks: readonly Chunk[]): Buffer =>
  Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...chunks.map(({ type, content, sum }) => {
      const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
      return Buffer.concat([word(content.length), typed, word(sum ?? crc32(typed))])
    }),
  ])

const word = (value: number): Buffer => {
  const four = Buffer.alloc(4)
  four.writeUInt32BE(value)
  return four
}

/** A segment of a JPEG, with the right length unless told otherwise. */
export const segment = (marker: number, content: Buffer, length = content.length + 2): Buffer =>
  Buffer.concat([Buffer.from([0xff, marker, length >> 8, length & 0xff]), content])

/** With something between the start of a JPEG and the rest. */
export const behindStart = (bytes: Buffer, inserted: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, 2), inserted, bytes.subarray(2)])
