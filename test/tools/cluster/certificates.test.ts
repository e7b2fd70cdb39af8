import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { createAuthority } from '../../../tools/infra/certificates.ts'

it('an authority issues certificates that hold for their hosts, for a year and with its signature', () => {
  const authority = createAuthority('an authority')
  const [issuer, issued] = [
    new X509Certificate(authority.certificate),
    new X509Certificate(authority.issue('a server', ['localhost', '127.0.0.1']).certificate),
  ]
  expect([issuer.ca, issuer.subject, issuer.checkIssued(issuer)]).toEqual([true, 'CN=an authority', true])
  expect([issued.ca, issued.subject, issued.checkIssued(issuer)]).toEqual([false, 'CN=a server', true])
  expect([issuer.verify(issuer.publicKey), issued.verify(issuer.publicKey)]).toEqual([true, true])
  expect([issued.checkHost('localhost'), issued.checkIP('127.0.0.1')]).toEqual(['localhost', '127.0.0.1'])
  expect([issued.checkHost('elsewhere'), issued.checkIP('127.0.0.2')]).toEqual([undefined, undefined])
  const [from, to] = [Date.parse(issued.validFrom), Date.parse(issued.validTo)]
  expect(from).toBeLessThan(Date.now())
  expect(Math.round((to - Date.now()) / 86_400_000)).toBe(365)
})
