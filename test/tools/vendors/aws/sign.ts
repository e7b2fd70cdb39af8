import { createHash, createHmac } from 'node:crypto'

export type Signing = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly region: string
  readonly service: string
  /** YYYYMMDDTHHMMSSZ. */
  readonly time: string
}

export type ToSign = {
  readonly method: string
  readonly url: string
  /** Values in their order where a name has several lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: string
}

/**
 * Signature Version 4 as AWS's guide describes it step by step, written for the tests alone: it shares nothing with
 * what the simulator checks signatures by.
 */
export function authorizationFor(request: ToSign, signing: Signing): string {
  const { pathname, searchParams, host } = new URL(request.url)
  const lines = new Map<string, string>([['host', host]])
  for (const [name, value] of Object.entries({ ...request.headers, 'X-Amz-Date': signing.time })) {
    const values = typeof value === 'string' ? [value] : value
    lines.set(name.toLowerCase(), values.map((each) => each.trim().split(/\s+/).join(' ')).join(','))
  }
  if (signing.sessionToken !== undefined) lines.set('x-amz-security-token', signing.sessionToken)
  const names = [...lines.keys()].sort()
  const query = [...searchParams].map((pair) => pair.map(encode).join('=')).sort()
  let canonical = `${request.method}\n${pathname}\n${query.join('&')}\n`
  for (const name of names) canonical += `${name}:${lines.get(name)}\n`
  canonical += `\n${names.join(';')}\n${hash(request.body)}`
  const day = signing.time.substring(0, 8)
  const scope = `${day}/${signing.region}/${signing.service}/aws4_request`
  const toSign = `AWS4-HMAC-SHA256\n${signing.time}\n${scope}\n${hash(canonical)}`
  let key = mac(Buffer.from(`AWS4${signing.secretAccessKey}`), day)
  key = mac(key, signing.region)
  key = mac(key, signing.service)
  key = mac(key, 'aws4_request')
  const signature = mac(key, toSign).toString('hex')
  return (
    `AWS4-HMAC-SHA256 Credential=${signing.accessKeyId}/${scope}, ` +
    `SignedHeaders=${names.join(';')}, Signature=${signature}`
  )
}

function hash(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}

function mac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text, 'utf8').digest()
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
