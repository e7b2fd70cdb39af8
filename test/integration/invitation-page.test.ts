import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openInvitationRoute } from '../../src/actors/invitation/open-route.ts'
import { createKeyPair } from '../../src/didcomm/keys.ts'
import { createFrontDoor } from '../../src/http/front-door/front-door.ts'
import type { HttpServer } from '../../src/http/server/server.ts'
import { startUwsServer } from '../../src/http/server/uws-server.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { contrastsIn } from '../browser/contrasts.ts'
import { startBrowser } from '../browser/start-browser.ts'
import { actorsThat } from '../host/parts/actors-that.ts'
import { plainDoor } from '../http/front-door/plain-door.ts'
import { silentLog } from '../silent-log.ts'

const id = 'inv_00aaaaaaaa'
const record = {
  label: 'The Registry of a Town with a Very Long Name',
  alias: null,
  multiUse: true,
  winner: null,
  ownSeed: 'seed',
  ownKey: createKeyPair().publicKeyBase58,
}
let server: HttpServer
let browser: Browser
let base = ''
beforeAll(async () => {
  const ports = { actors: actorsThat({ read: () => record }), publicUrl: () => base }
  const routes = [openInvitationRoute(ports)]
  const door = createFrontDoor({ ...plainDoor, routes, log: silentLog, metrics: createMetrics() })
  server = await startUwsServer({ host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000 }, door)
  base = `http://127.0.0.1:${server.port}`
  browser = await startBrowser()
})
afterAll(async () => {
  await browser?.close()
  await server?.[Symbol.asyncDispose]()
})

it.each([
  ['a desk', { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }],
  ['a desk, dark', { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' }],
  ['a phone', { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }],
] as const)('an invitation can be read and scanned in a browser on %s', async (_, options) => {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => complaints.push(message.text()))
  await page.goto(`${base}/i/${id}?oob=eyJ4IjoxfQ`)
  expect(await page.locator('h1').textContent()).toBe(`Invitation from ${record.label}`)
  const code = await page.locator('svg[role=img]').boundingBox()
  expect(code?.width).toBeGreaterThan(300)
  expect(code?.width).toBe(code?.height)
  // The picture is dark on white in every colour scheme, as cameras want it.
  const background = "getComputedStyle(document.querySelector('svg')).backgroundColor"
  expect(await page.evaluate(background)).toBe('rgb(255, 255, 255)')
  const link = page.getByRole('link', { name: 'Open in the wallet' })
  expect(await link.getAttribute('href')).toMatch(/^didcomm:\/\/127\.0\.0\.1:\d+\/i\/inv_00aaaaaaaa\?oob=/)
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  for (const { ratio } of await contrastsIn(page)) expect(ratio).toBeGreaterThanOrEqual(4.5)
  expect(complaints).toEqual([])
})
