import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { consoleRoutes } from '../../../src/http/routes/console.ts'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import type { HttpServer } from '../../../src/http/server/server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { silentLog } from '../../silent-log.ts'
import { plainDoor } from '../front-door/plain-door.ts'

const PAGE = '<!doctype html><title>Console</title>'
const SCRIPT = '/console/assets/main.0a1b2c3d.js'
const files = new Map([
  ['index.html', PAGE],
  ['main.0a1b2c3d.js', 'export {}'],
])

describe.each([
  ['uWebSockets.js', startUwsServer],
  ['node:http', startNodeServer],
])('the console, from %s', (_, start) => {
  let server: HttpServer
  let base = ''
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, { headers, redirect: 'manual' })

  beforeAll(async () => {
    const door = createFrontDoor({
      ...plainDoor,
      routes: consoleRoutes(files),
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

  it.each(['/console', '/console/', '/console/overview', '/console/connections/con_1', '/console/a/b/c'])(
    'is one page at each of its addresses: %s',
    async (path) => {
      const answer = await get(path)
      expect(answer.status).toBe(200)
      expect(await answer.text()).toBe(PAGE)
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it('is asked for anew each time and sent again only when it has changed', async () => {
    const tag = (await get('/console')).headers.get('etag') ?? ''
    expect(tag).not.toBe('')
    expect((await get('/console/overview', { 'if-none-match': tag })).status).toBe(304)
  })

  it('has files that browsers keep for ever, because their names have the hash of their content', async () => {
    const { status, headers } = await get(SCRIPT)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['other.js', 'index.html', '..%2Findex.html', '%2e%2e%2fpackage.json', '__proto__', 'constructor'])(
    'has no file beside those that were built: %s',
    async (file) => {
      const answer = await get(`/console/assets/${file}`)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: 'not_found' })
    },
  )

  it.each(['/console', SCRIPT])(
    'runs nothing inline, speaks to nobody else and stands in no frame: %s',
    async (path) => {
      const policy = (await get(path)).headers.get('content-security-policy') ?? ''
      expect(policy.split('; ')).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ]),
      )
      expect(policy).not.toMatch(/unsafe|https?:|\*/)
    },
  )

  it('is where the bare address of the service leads to', async () => {
    const { status, headers } = await get('/')
    expect(status).toBe(302)
    expect(headers.get('location')).toBe('/console')
  })
})
