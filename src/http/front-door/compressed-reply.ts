import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Reply, RequestHead } from '../server/server.ts'

/** A text that many ask for and that never changes: turned into bytes, and packed, once. */
export type Packed = {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Uint8Array
  readonly packed: Uint8Array
  /** Names the text: whoever has it need not be sent it again. */
  readonly tag: string
}

export const pack = (text: string, headers: Readonly<Record<string, string>>): Packed => {
  const plain = Buffer.from(text)
  const own = { ...headers, Vary: 'Accept-Encoding' }
  const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  return { headers: own, plain, packed: gzipSync(plain, { level: 9 }), tag }
}

/** gzip by name; not where its quality is zero. */
const TAKES_GZIP = /(^|[\s,])gzip\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i

const NOTHING = new Uint8Array()

export const packedReply = (
  { headers, plain, packed, tag }: Packed,
  { headers: asked }: Pick<RequestHead, 'headers'>,
): Reply => {
  const isPacked = TAKES_GZIP.test(asked.get('accept-encoding') ?? '')
  // The bytes differ, so their names do.
  const ETag = isPacked ? `"${tag}.gz"` : `"${tag}"`
  if (names(asked.get('if-none-match'), ETag))
    return { status: 304, headers: { ...headers, ETag }, body: NOTHING }
  return isPacked
    ? { status: 200, headers: { ...headers, ETag, 'Content-Encoding': 'gzip' }, body: packed }
    : { status: 200, headers: { ...headers, ETag }, body: plain }
}

/** Proxies that pack what they pass on make tags weak, which means the same here. */
const names = (wanted: string | undefined, tag: string): boolean =>
  wanted?.split(',').some((each) => ['*', tag, `W/${tag}`].includes(each.trim())) ?? false
