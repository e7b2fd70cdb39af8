import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compileRoute } from '../../../src/http/route/compiled-route.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'
import { openApiRoute } from '../../../src/http/routes/openapi.ts'

it('the description has every route, its own as well', async () => {
  const { run } = compileRoute(openApiRoute([healthRoute(() => true)], { tags: [], events: [] }))
  const get = (encoding: string, tag = '') => {
    const asked = new Map([
      ['accept-encoding', encoding],
      ['if-none-match', tag],
    ])
    const head = { id: '', method: 'GET', path: '', query: '', headers: asked, remoteAddress: '' }
    return run({ head, caller: { kind: 'nobody' }, params: {}, body: new Uint8Array() })
  }
  const { body, headers } = await get('identity')
  const { paths } = JSON.parse(String(body)) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toEqual(['/v1/health', '/openapi.json'])
  expect(headers).toMatchObject({
    'Cache-Control': 'public, max-age=300',
    'Content-Type': 'application/json',
    Vary: 'Accept-Encoding',
  })
  const packed = await get('gzip')
  expect(packed.headers['Content-Encoding']).toBe('gzip')
  expect(gunzipSync(Buffer.from(packed.body as Uint8Array)).toString()).toBe(String(body))
  const again = await get('gzip', packed.headers['ETag'])
  expect([again.status, again.body.length]).toEqual([304, 0])
  const { get: own } = paths['/openapi.json'] as { get: { responses: Record<string, object> } }
  expect(Object.keys(own.responses)).toContain('304')
})
