import { timingSafeEqual } from 'node:crypto'
import { headerOf, type WireRequest } from '../../wire/request-and-reply.ts'
import type { Accounts, Key, Principal } from '../accounts.ts'
import { type Authorization, readAuthorization } from './authorization-header.ts'
import { canonicalRequest, sha256 } from './canonical-request.ts'
import { msOfSigningTime, signatureOf, signingTime } from './signature.ts'

/** What a signature can be wrong by; each protocol of AWS has a code of its own for it. */
export type SignatureFault = {
  readonly fault: 'missing' | 'incomplete' | 'unknown' | 'expired' | 'invalid'
  readonly message: string
}

export type Checked = { readonly principal: Principal } | SignatureFault

export type Expected = {
  readonly region: string
  readonly service: string
  readonly accounts: Accounts
  readonly wallMs: number
}

const SKEW_MINUTES_MAX = 5

const DIFFERS =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key ' +
  'and signing method. Consult the service documentation for details.'

/** Who has signed a request, if that is what its signature proves. */
export const checkSignature = (request: WireRequest, expected: Expected): Checked => {
  const header = headerOf(request, 'authorization')
  if (header === undefined) return { fault: 'missing', message: 'Missing Authentication Token' }
  const authorization = readAuthorization(header)
  if (typeof authorization === 'string') return { fault: 'incomplete', message: authorization }
  const time = headerOf(request, 'x-amz-date') ?? ''
  const timeMs = msOfSigningTime(time)
  if (timeMs === null)
    return { fault: 'incomplete', message: "Authorization header requires existence of 'X-Amz-Date' header." }
  const key = expected.accounts.key(authorization.accessKeyId)
  if (key === undefined) return unknownToken
  const objection =
    scopeObjection(authorization, time, expected) ??
    timeObjection(timeMs, expected.wallMs) ??
    headersObjection(request, authorization) ??
    signatureObjection(request, { authorization, time, key })
  if (objection !== null) return { fault: 'invalid', message: objection }
  return tokenFault(request, key, expected.accounts) ?? { principal: key.principal }
}

const unknownToken: SignatureFault = {
  fault: 'unknown',
  message: 'The security token included in the request is invalid.',
}

function scopeObjection(
  { date, region, service }: Authorization,
  time: string,
  expected: Expected,
): string | null {
  const day = time.slice(0, 8)
  if (date !== day)
    return (
      'Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: ' +
      `'${date}' != '${day}', from '${time}'.`
    )
  if (region !== expected.region) return `Credential should be scoped to a valid region, not '${region}'.`
  return service === expected.service
    ? null
    : `Credential should be scoped to correct service: '${expected.service}'.`
}

function timeObjection(timeMs: number, wallMs: number): string | null {
  const skewMs = SKEW_MINUTES_MAX * 60_000
  const [then, now] = [signingTime(timeMs), signingTime(wallMs)]
  if (timeMs < wallMs - skewMs)
    return `Signature expired: ${then} is now earlier than ${signingTime(wallMs - skewMs)} (${now} - 5 min.)`
  if (timeMs > wallMs + skewMs)
    return `Signature not yet current: ${then} is still later than ${signingTime(wallMs + skewMs)} (${now} + 5 min.)`
  return null
}

/** What must be covered: the host, the type of the content, and every header of AWS's own. */
function headersObjection(request: WireRequest, { signedHeaders }: Authorization): string | null {
  const present = new Set(request.headers.map(([name]) => name))
  const due = [...present].filter((name) => name === 'content-type' || name.startsWith('x-amz-'))
  const missing = ['host', ...due].find((name) => !signedHeaders.includes(name))
  if (missing !== undefined) return `'${missing}' must be a 'SignedHeader' in the AWS Authorization.`
  const isSorted = signedHeaders.join(';') === [...new Set(signedHeaders)].toSorted().join(';')
  return isSorted && signedHeaders.every((name) => present.has(name)) ? null : DIFFERS
}

function signatureObjection(
  request: WireRequest,
  { authorization, time, key }: { authorization: Authorization; time: string; key: Key },
): string | null {
  const told = headerOf(request, 'x-amz-content-sha256')
  // A body that is announced as unsigned, or as another one, is not what these operations take.
  if (told !== undefined && told !== sha256(request.body)) return DIFFERS
  const canonical = canonicalRequest(request, authorization.signedHeaders)
  const signature = signatureOf(canonical, { time, scope: authorization, secret: key.secret })
  return timingSafeEqual(Buffer.from(signature), Buffer.from(authorization.signature)) ? null : DIFFERS
}

function tokenFault(request: WireRequest, key: Key, accounts: Accounts): SignatureFault | null {
  const token = headerOf(request, 'x-amz-security-token') ?? null
  if (token !== key.token) return unknownToken
  return accounts.isExpired(key)
    ? { fault: 'expired', message: 'The security token included in the request is expired' }
    : null
}
