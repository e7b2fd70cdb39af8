import { describe, expect, it } from 'vitest'
import { fixedTextRoute } from '../../../src/http/routes/fixed-text.ts'
import { callRoute } from './call-route.ts'

describe('a fixed text', () => {
  it('is plain text that no browser takes for anything else, with the headers of its route', async () => {
    const headers = { 'Cache-Control': 'no-store' }
    const route = fixedTextRoute({
      path: '/text',
      operationId: 'read',
      summary: 'A text',
      headers,
      body: 'é',
    })
    const { status, headers: sent, text } = await callRoute([route], 'GET', '/text')
    expect([status, text]).toEqual([200, 'é'])
    expect(sent).toMatchObject({
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    })
  })
})
