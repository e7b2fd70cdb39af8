import { createHmac } from 'node:crypto'
import { ALGORITHM } from './authorization-header.ts'
import { sha256 } from './canonical-request.ts'

export type Scope = { readonly date: string; readonly region: string; readonly service: string }

/** The signature of a canonical request at a time (`YYYYMMDDTHHMMSSZ`). */
export const signatureOf = (
  canonical: string,
  { time, scope, secret }: { readonly time: string; readonly scope: Scope; readonly secret: string },
): string => {
  const { date, region, service } = scope
  const terms = [date, region, service, 'aws4_request']
  const key = terms.reduce((last: string | Buffer, term) => hmac(last, term), `AWS4${secret}`)
  return hmac(key, [ALGORITHM, time, terms.join('/'), sha256(canonical)].join('\n')).toString('hex')
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

export const signingTime = (ms: number): string => new Date(ms).toISOString().replaceAll(/[-:]|\.\d+/g, '')

/** Null for what is no time of a signature. */
export const msOfSigningTime = (time: string): number | null => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second] = parts
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(ms) ? null : ms
}
