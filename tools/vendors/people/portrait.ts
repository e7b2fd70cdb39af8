import { crc32, deflateSync } from 'node:zlib'
import { writtenOn, type Face } from './faces.ts'

export type Portrait = {
  /** Whose faces it shows, the largest first. */
  readonly faces: readonly Face[]
  readonly format?: 'jpeg' | 'png'
  readonly width?: number
  readonly height?: number
  /** Exact size of the file, filled up where the picture itself is smaller. */
  readonly bytes?: number
}

/**
 * A grey picture that every decoder takes, with a note in it of whose faces the simulators are to see: pictures of
 * people need not be kept, and nobody has to recognise them.
 */
export const portrait = ({ faces, format = 'jpeg', width = 320, height = 400, bytes }: Portrait): Buffer => {
  const draw = format === 'jpeg' ? jpeg : png
  const note = writtenOn(faces)
  const small = draw({ width, height, note, filler: [] })
  const room = format === 'jpeg' ? JPEG_ROOM : PNG_ROOM
  const missing = (bytes ?? Math.max(small.length, BYTES_UNLESS_TOLD)) - small.length
  if (missing < 0 || (missing > 0 && missing < room.around))
    throw new Error(`a portrait of ${bytes} bytes cannot be made of one with ${small.length}`)
  const filler = fillers(missing, room)
  return draw({ width, height, note, filler })
}

type Drawing = {
  readonly width: number
  readonly height: number
  readonly note: string
  readonly filler: readonly Buffer[]
}

type Room = { /** Bytes around a piece of filler. */ readonly around: number; readonly inside: number }

/** A grey picture is smaller than what vendors take for one. */
const BYTES_UNLESS_TOLD = 4_096

const JPEG_ROOM: Room = { around: 4, inside: 65_533 }
const PNG_ROOM: Room = { around: 12, inside: 1_000_000 }

/** Pieces that need exactly so many bytes in the file. */
function fillers(bytes: number, { around, inside }: Room): Buffer[] {
  const pieces: Buffer[] = []
  let left = bytes
  while (left > 0) {
    let taken = Math.min(left, around + inside)
    // What would be left over has to be large enough for a piece of its own.
    if (left - taken > 0 && left - taken < around) taken -= around
    pieces.push(Buffer.alloc(taken - around, 'grey '))
    left -= taken
  }
  return pieces
}

function jpeg({ width, height, note, filler }: Drawing): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt16BE(height, 0)
  size.writeUInt16BE(width, 2)
  // One code of one bit: no difference to the block before, then no further coefficients.
  const oneCode = [1, ...Array<number>(15).fill(0), 0]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xfe, Buffer.from(note)),
    ...filler.map((piece) => segment(0xfe, piece)),
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(0xc0, Buffer.concat([Buffer.from([8]), size, Buffer.from([1, 1, 0x11, 0])])),
    segment(0xc4, Buffer.from([0x00, ...oneCode])),
    segment(0xc4, Buffer.from([0x10, ...oneCode])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    greyBlocks(Math.ceil(width / 8) * Math.ceil(height / 8)),
    Buffer.from([0xff, 0xd9]),
  ])
}

function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Two bits each, the last byte filled with ones. */
function greyBlocks(count: number): Buffer {
  const blocks = Buffer.alloc(Math.ceil(count / 4))
  const unused = blocks.length * 8 - count * 2
  blocks[blocks.length - 1] = (1 << unused) - 1
  return blocks
}

function png({ width, height, note, filler }: Drawing): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits of grey; each row begins with a byte that says that it is as it stands.
  head[8] = 8
  const row = Buffer.alloc(width + 1, 128)
  row[0] = 0
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('tEXt', Buffer.from(`Comment\0${note}`)),
    ...filler.map((piece) => chunk('fiLl', piece)),
    chunk('IDAT', deflateSync(Buffer.alloc(row.length * height, row))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
