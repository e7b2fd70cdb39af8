import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Reply, RequestHead } from '../server/server.ts'

/** A text that many callers request and that never changes: encoded and compressed once. */
export type Packed = {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Uint8Array
  readonly packed: Uint8Array
  /** The ETag: a caller that has the text already is answered 304. */
  readonly tag: string
}

export const pack = (text: string, headers: Readonly<Record<string, string>>): Packed => {
  const plain = Buffer.from(text)
  const own = { ...headers, Vary: 'Accept-Encoding' }
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { headers: own, plain, packed: gzipSync(plain, { level: 9 }), tag }
}

/** Whether the caller accepts gzip: named, and not with a quality of zero. */
const TAKES_GZIP = /(^|[\s,])gzip\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i

const NOTHING = new Uint8Array()

export const packedReply = (
  { headers, plain, packed, tag }: Packed,
  { headers: asked }: Pick<RequestHead, 'headers'>,
): Reply => {
  const isPacked = TAKES_GZIP.test(asked.get('accept-encoding') ?? '')
  // The bytes differ, so the ETags have to differ.
  const ETag = isPacked ? `"${tag}.gz"` : `"${tag}"`
  if (namesTag(asked.get('if-none-match'), ETag))
    return { status: 304, headers: { ...headers, ETag }, body: NOTHING }
  return isPacked
    ? { status: 200, headers: { ...headers, ETag, 'Content-Encoding': 'gzip' }, body: packed }
    : { status: 200, headers: { ...headers, ETag }, body: plain }
}

/** A proxy that compresses makes ETags weak; here a weak tag means the same as a strong one. */
export const namesTag = (wanted: string | undefined, tag: string): boolean =>
  wanted?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false
