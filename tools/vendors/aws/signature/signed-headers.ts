import type { WireRequest } from '../../wire/request-and-reply.ts'
import { ALGORITHM } from './authorization-header.ts'
import { canonicalRequest, sha256 } from './canonical-request.ts'
import { signatureOf, signingTime } from './signature.ts'

export type Credentials = {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

type Unsigned = {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** The headers of a POST with its signature, as a device sends them. */
export const signedHeaders = (
  { url, headers, body }: Unsigned,
  { credentials, region, atMs }: { credentials: Credentials; region: string; atMs: number },
): Record<string, string> => {
  const time = signingTime(atMs)
  const scope = { date: time.slice(0, 8), region, service: 'rekognition' }
  const { sessionToken } = credentials
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': time,
    'x-amz-content-sha256': sha256(body),
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  }
  const names = Object.keys(all).toSorted()
  const request: WireRequest = {
    method: 'POST',
    path: url.pathname,
    query: url.search.slice(1),
    headers: Object.entries(all),
    body,
  }
  const signature = signatureOf(canonicalRequest(request, names), {
    time,
    scope,
    secret: credentials.secretAccessKey,
  })
  const credential = `${credentials.accessKeyId}/${scope.date}/${region}/${scope.service}/aws4_request`
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`
  // The host is set by who sends the request.
  const { host: _, ...sent } = all
  return { ...sent, authorization }
}
