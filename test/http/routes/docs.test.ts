import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import { docsRoutes } from '../../../src/http/routes/docs.ts'
import { healthRoute } from '../../../src/http/routes/health.ts'
import { contentsOf } from '../../../src/actors/contents.ts'
import { kinds } from '../../../src/actors/index.ts'
import { openApiRoute } from '../../../src/http/routes/openapi.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { silentLog } from '../../silent-log.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { apiRoutes } from '../../../tools/described-api.ts'
import { plainDoor } from '../front-door/plain-door.ts'

describe.each([
  ['uWebSockets.js', startUwsServer],
  ['node:http', startNodeServer],
])('the pages, from %s', (_, start) => {
  let server: HttpServer
  let base = ''
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${base}${path}`, { headers })

  beforeAll(async () => {
    const routes = [healthRoute(() => true), ...apiRoutes()]
    const description = openApiRoute(routes, contentsOf(kinds))
    const door = createFrontDoor({
      ...plainDoor,
      routes: [description, ...docsRoutes([...routes, description], contentsOf(kinds))],
      log: silentLog,
      metrics: createMetrics(),
      accessLog: false,
    })
    server = await start({ host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000_000 }, door)
    base = `http://127.0.0.1:${server.port}`
  })
  afterAll(async () => {
    server.stopAccepting()
    await server[Symbol.asyncDispose]()
  })

  it('come with a strict policy and may be kept for a while', async () => {
    const response = await get('/docs')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('cache-control')).toBe('public, max-age=300')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    expect(page).toContain('<h1>Vouchsafe for tenants</h1>')
    expect(await (await get('/docs/')).text()).toBe(page)
  })

  it('say the same packed and plain', async () => {
    const plain = await get('/docs/api/credentials', { 'Accept-Encoding': 'identity' })
    const refused = await get('/docs/api/credentials', { 'Accept-Encoding': 'gzip;q=0, br' })
    const packed = await get('/docs/api/credentials', { 'Accept-Encoding': 'br, gzip' })
    expect([plain, refused, packed].map(({ headers }) => headers.get('content-encoding'))).toEqual([
      null,
      null,
      'gzip',
    ])
    expect(packed.headers.get('vary')).toBe('Accept-Encoding')
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(20_000)
    expect(await packed.text()).toBe(await plain.text())
  })

  it('lead to style and script that may be kept for ever', async () => {
    const page = await (await get('/docs')).text()
    const files = [...page.matchAll(/\/docs\/assets\/[\w.-]+/g)].map(([file]) => file)
    expect(files.length).toBe(3)
    for (const file of files) {
      const response = await get(file)
      expect(response.status, file).toBe(200)
      expect(response.headers.get('cache-control')).toContain('immutable')
      expect(response.headers.get('content-type')).toMatch(/^(text\/css|text\/javascript|image\/svg\+xml)/)
    }
  })

  it('are not sent again to whoever has them', async () => {
    for (const path of ['/docs', '/docs/api/credentials', '/openapi.json']) {
      const first = await get(path)
      const tag = first.headers.get('etag') ?? ''
      const again = await get(path, { 'If-None-Match': tag, 'Accept-Encoding': 'gzip, deflate' })
      expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, tag, ''])
      expect(again.headers.get('content-length')).toBeNull()
      expect(again.headers.get('cache-control')).toBe('public, max-age=300')
    }
  })

  it('that are not there are refused like everything else', async () => {
    for (const path of [
      '/docs/nothing',
      '/docs/api/nothing',
      '/docs/assets/docs.css',
      '/docs/assets/..%2Fsite.ts',
    ]) {
      const response = await get(path)
      expect(response.status, path).toBe(404)
      expect(await response.json()).toMatchObject({ error: 'not_found' })
    }
  })

  it('answer HEAD without a body', async () => {
    const response = await fetch(`${base}/docs`, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})
