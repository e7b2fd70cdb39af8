import { gzipSync } from 'node:zlib'
import type { Reply, RequestHead } from './server.ts'

/** A text that many ask for and that never changes: turned into bytes, and packed, once. */
export type Packed = {
  readonly headers: Readonly<Record<string, string>>
  readonly plain: Uint8Array
  readonly packed: Uint8Array
}

export const pack = (text: string, headers: Readonly<Record<string, string>>): Packed => {
  const plain = Buffer.from(text)
  const own = { ...headers, Vary: 'Accept-Encoding' }
  return { headers: own, plain, packed: gzipSync(plain, { level: 9 }) }
}

/** gzip by name; not where its quality is zero. */
const TAKES_GZIP = /(^|[\s,])gzip\s*(;(?!\s*q=0(\.0*)?\s*(,|$))|,|$)/i

export const packedReply = ({ headers, plain, packed }: Packed, head: Pick<RequestHead, 'headers'>): Reply =>
  TAKES_GZIP.test(head.headers.get('accept-encoding') ?? '')
    ? { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body: packed }
    : { status: 200, headers, body: plain }
