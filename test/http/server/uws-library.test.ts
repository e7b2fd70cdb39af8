import { describe, expect, it } from 'vitest'
import { App } from '../../../src/http/server/uws-library.ts'

describe('uWebSockets.js', () => {
  it('has room in a head for the longest query that is promised, and for a session and a proxy around it', () => {
    const states = Array.from({ length: 20 }, () => `state=${encodeURIComponent('ä'.repeat(50))}`)
    const texts = [
      `q=${encodeURIComponent('ä'.repeat(100))}`,
      `externalId=${encodeURIComponent('ä'.repeat(200))}`,
    ]
    const query = [...states, ...texts].join('&')
    expect(typeof App).toBe('function')
    expect(Number(process.env['UWS_HTTP_MAX_HEADERS_SIZE'])).toBeGreaterThan(query.length + 4_000)
  })
})
