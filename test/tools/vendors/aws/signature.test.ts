import { describe, expect, it } from 'vitest'
import { readAuthorization } from '../../../../tools/vendors/aws/signature/authorization-header.ts'
import { canonicalRequest } from '../../../../tools/vendors/aws/signature/canonical-request.ts'
import {
  msOfSigningTime,
  signatureOf,
  signingTime,
} from '../../../../tools/vendors/aws/signature/signature.ts'
import type { WireRequest } from '../../../../tools/vendors/wire/request-and-reply.ts'
import { authorizationFor, type Signing, type ToSign } from './sign.ts'
import { suiteSigning, testSuite } from './test-suite.ts'

/** The request as the simulator gets it from the wire. */
const asReceived = ({ method, url, headers, body }: ToSign, { time, sessionToken }: Signing): WireRequest => {
  const { host, pathname, search } = new URL(url)
  const own: Record<string, string | readonly string[]> = { host, 'x-amz-date': time, ...headers }
  if (sessionToken !== undefined) own['x-amz-security-token'] = sessionToken
  return {
    method,
    path: pathname,
    query: search.slice(1),
    headers: Object.entries(own).flatMap(([name, value]) =>
      [value].flat().map((each) => [name.toLowerCase(), each] as const),
    ),
    body: Buffer.from(body),
  }
}

describe("AWS's own test suite for signatures", () => {
  it.each(testSuite)(
    '$name is signed by the signer of the tests as AWS signs it',
    ({ request, signing, signature }) => {
      expect(authorizationFor(request, signing)).toMatch(new RegExp(`Signature=${signature}$`))
    },
  )

  it.each(testSuite)(
    '$name has the signature for the simulator that AWS gives',
    ({ request, signing, signature }) => {
      const received = asReceived(request, signing)
      const names = [...new Set(received.headers.map(([name]) => name))].toSorted()
      const scope = { date: '20150830', region: signing.region, service: signing.service }
      const { time, secretAccessKey: secret } = signing
      expect(signatureOf(canonicalRequest(received, names), { time, scope, secret })).toBe(signature)
    },
  )
})

describe('the header of a signature', () => {
  const written = authorizationFor(
    { method: 'GET', url: 'https://example.amazonaws.com/', headers: {}, body: '' },
    suiteSigning,
  )

  it('is read', () => {
    expect(readAuthorization(written.replace('AKIDEXAMPLE', 'AKIAIOSFODNN7EXAMPLE'))).toMatchObject({
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      date: '20150830',
      region: 'us-east-1',
      service: 'service',
      signedHeaders: ['host', 'x-amz-date'],
    })
  })

  it.each([
    ['another algorithm', 'AWS4-HMAC-SHA512 Credential=x'],
    ['no signature', written.replace(/, Signature=.*/, '')],
    ['a signature in capitals', written.replace(/[a-f]/g, (digit) => digit.toUpperCase())],
    ['a credential without a date', written.replace('20150830/', '')],
    ['a part too many', `${written}, Again=1`],
  ])('is refused with %s', (_, header) => {
    expect(readAuthorization(header)).toEqual(expect.any(String))
  })
})

describe('the time of a signature', () => {
  it('is written without signs between its parts and read back', () => {
    expect(signingTime(Date.UTC(2015, 7, 30, 12, 36, 0, 999))).toBe('20150830T123600Z')
    expect(msOfSigningTime('20150830T123600Z')).toBe(Date.UTC(2015, 7, 30, 12, 36))
  })

  it.each(['2015-08-30T12:36:00Z', '20150830T123600', '20151330T123600Z', ''])('is not %s', (text) => {
    expect(msOfSigningTime(text)).toBeNull()
  })
})
