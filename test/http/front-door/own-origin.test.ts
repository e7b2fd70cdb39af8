import { describe, expect, it } from 'vitest'
import { ownOriginOnly } from '../../../src/http/front-door/own-origin.ts'
import { requestHead } from '../parts/request-head.ts'

const check = ownOriginOnly(() => 'https://issuer.example/base')
const of = (method: string, headers: Record<string, string>) =>
  check(requestHead(headers, { method })) === null

describe('the origin of a request', () => {
  it('is what the browser says it is', () => {
    expect(of('POST', { 'sec-fetch-site': 'same-origin' })).toBe(true)
    expect(of('POST', { origin: 'https://issuer.example' })).toBe(true)
    expect(of('GET', { 'sec-fetch-site': 'none' })).toBe(true)
    expect(of('GET', {})).toBe(true)
  })

  it('of another site, a neighbour or nowhere is refused', () => {
    for (const site of ['cross-site', 'same-site', 'nonsense']) {
      expect(of('POST', { 'sec-fetch-site': site })).toBe(false)
      expect(of('GET', { 'sec-fetch-site': site })).toBe(false)
    }
    expect(of('POST', { 'sec-fetch-site': 'none' })).toBe(false)
    for (const origin of [
      'https://evil.example',
      'null',
      'http://issuer.example',
      'https://issuer.example:444',
    ])
      expect(of('POST', { origin, 'sec-fetch-site': 'same-origin' })).toBe(false)
    expect(of('DELETE', {})).toBe(false)
  })
})
