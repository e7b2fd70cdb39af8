import { crc32, deflateSync } from 'node:zlib'
import type { ReferenceImage } from '../ports/face-vendor.ts'

const SIDE_PIXELS = 160

/**
 * A picture of nothing, with which rights are tried: a vendor that may be asked answers that it sees no face. It is
 * large enough for every vendor to look at.
 */
export const trialPicture = (): ReferenceImage => {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(SIDE_PIXELS, 0)
  head.writeUInt32BE(SIDE_PIXELS, 4)
  // Eight bits of grey; each row begins with a byte that says that it is as it stands.
  head[8] = 8
  const rows = Buffer.alloc((SIDE_PIXELS + 1) * SIDE_PIXELS)
  for (let at = 0; at < rows.length; at += 1)
    rows[at] = at % (SIDE_PIXELS + 1) === 0 ? 0 : 96 + ((at * 7_919) % 64)
  const bytes = Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return { format: 'png', bytes, width: SIDE_PIXELS, height: SIDE_PIXELS }
}

function chunk(type: string, content: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(content.length, 0)
  around.writeUInt32BE(crc32(typed), 4)
  return Buffer.concat([around.subarray(0, 4), typed, around.subarray(4)])
}
