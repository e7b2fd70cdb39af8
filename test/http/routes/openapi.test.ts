import { expect, it } from 'vitest'
import { compileRoute } from '../../../src/http/compiled-route.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'
import { openApiRoute } from '../../../src/http/routes/openapi.ts'

it('the description has every route, its own as well', async () => {
  const { run } = compileRoute(openApiRoute([healthRoute(() => true)]))
  const head = {
    id: '',
    method: 'GET',
    path: '',
    query: '',
    headers: new Map<string, string>(),
    remoteAddress: '',
  }
  const { body, headers } = await run({
    head,
    caller: { kind: 'nobody' },
    params: {},
    body: new Uint8Array(),
  })
  const { paths } = JSON.parse(String(body)) as { paths: Record<string, unknown> }
  expect(Object.keys(paths)).toEqual(['/v1/health', '/openapi.json'])
  expect(headers['Cache-Control']).toBe('public, max-age=300')
})
