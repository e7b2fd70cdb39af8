import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createFrontDoor } from '../../src/http/front-door/front-door.ts'
import { docsRoutes } from '../../src/http/routes/docs.ts'
import { healthRoute } from '../../src/http/routes/health.ts'
import { contentsOf } from '../../src/actors/contents.ts'
import { kinds } from '../../src/actors/index.ts'
import { openApiRoute } from '../../src/http/routes/openapi.ts'
import type { HttpServer } from '../../src/http/server/server.ts'
import { startUwsServer } from '../../src/http/server/uws-server.ts'
import type { LogFields } from '../../src/telemetry/fields.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { apiRoutes } from '../../tools/described-api.ts'
import { contrastsIn } from '../browser/contrasts.ts'
import { startBrowser } from '../browser/start-browser.ts'
import { plainDoor } from '../http/front-door/plain-door.ts'

const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true }

let server: HttpServer
let browser: Browser
let base = ''
const answered: unknown[] = []
const flush = () => undefined
beforeAll(async () => {
  const routes = [healthRoute(() => true), ...apiRoutes()]
  const description = openApiRoute(routes, contentsOf(kinds))
  const door = createFrontDoor({
    ...plainDoor,
    routes: [description, ...docsRoutes([...routes, description], contentsOf(kinds))],
    log: Object.assign((_: string, { status }: LogFields = {}) => void answered.push(status), { flush }),
    metrics: createMetrics(),
  })
  server = await startUwsServer({ host: '127.0.0.1', port: 0, tls: null, bodyMemoryBytesMax: 1_000 }, door)
  base = `http://127.0.0.1:${server.port}`
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await server[Symbol.asyncDispose]()
})

/** A window, and what its pages complain of: errors, what was refused to them, what their policy forbids. */
const open = async (options: BrowserContextOptions) => {
  const context: BrowserContext = await browser.newContext(options)
  onTestFinished(() => context.close())
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', ({ message }) => complaints.push(message))
  page.on('console', (message) => complaints.push(message.text()))
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`)
  })
  return { context, page, complaints }
}

const pathsOf = async (page: Page): Promise<readonly string[]> => {
  await page.goto(`${base}/docs`)
  const ways = await page.locator('#ways a').all()
  const links = await Promise.all(ways.map(async (way) => (await way.getAttribute('href')) ?? ''))
  return [...new Set(links.map((link) => link.split('#')[0] ?? ''))]
}

describe('every page', () => {
  it.each([
    ['a desk, light', { ...DESK, colorScheme: 'light' }],
    ['a desk, dark', { ...DESK, colorScheme: 'dark' }],
    ['a phone', PHONE],
  ] as const)('fits %s, can be read, and has nothing to complain of', async (_, options) => {
    const { page, complaints } = await open(options)
    const paths = await pathsOf(page)
    expect(paths.length).toBeGreaterThan(15)
    for (const path of paths) {
      await page.goto(`${base}${path}`)
      expect(await page.locator('h1').count(), path).toBe(1)
      expect(await page.locator('#ways a[aria-current=page]').getAttribute('href')).toBe(path)
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(wider, path).toBeLessThanOrEqual(0)
      const faint = (await contrastsIn(page)).filter(({ ratio }) => ratio < 4.5)
      expect(faint, path).toEqual([])
    }
    expect(complaints).toEqual([])
  })

  it('is whole without script', async () => {
    const { page } = await open({ ...DESK, javaScriptEnabled: false })
    await page.goto(`${base}/docs/api/credentials`)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Credentials')
    expect(await page.getByRole('searchbox').count()).toBe(0)
    await page.getByText('Fields of the answer').first().click()
    expect(await page.locator('details[open]').first().innerText()).toContain('credentialDefinitionId')
  })
})

describe('with the keyboard', () => {
  it('an operation is found by its words and gone to', async () => {
    const { page } = await open(DESK)
    await page.goto(`${base}/docs`)
    await page.keyboard.press('/')
    await page.keyboard.type('offer credential')
    const found = page.locator('#ways a:visible')
    expect(await found.allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Offers a credential')]),
    )
    // Of a hundred operations those about offers, and nothing else.
    expect(await found.count()).toBeLessThan(8)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/docs/api/credentials#offerCredential')
    expect(await page.locator('#offerCredential').first().isVisible()).toBe(true)
  })

  it('what is nowhere is said to be nowhere, and all is back when the words are gone', async () => {
    const { page } = await open(DESK)
    await page.goto(`${base}/docs/limits`)
    const all = await page.locator('#ways a:visible').count()
    await page.getByRole('searchbox').fill('zebra')
    expect(await page.locator('#ways a:visible').count()).toBe(0)
    expect(await page.getByRole('status').innerText()).toBe('Nothing has these words.')
    await page.getByRole('searchbox').fill('')
    expect(await page.locator('#ways a:visible').count()).toBe(all)
    expect(await page.getByRole('status').innerText()).toBe('')
  })

  it('the first step leads past the ways to the text', async () => {
    const { page } = await open(DESK)
    await page.goto(`${base}/docs/errors`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
  })
})

it('an example is copied as it is shown', async () => {
  const { context, page } = await open(DESK)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${base}/docs`)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const copied = await page.evaluate('navigator.clipboard.readText()')
  expect(copied).toMatch(/^curl "\$BASE_URL\/v1\/connections\/invitations" \\\n {2}-H /)
})

describe('on a phone', () => {
  it('the ways come when they are asked for and go when one is taken', async () => {
    const { page } = await open(PHONE)
    await page.goto(`${base}/docs`)
    const way = page.locator('#ways').getByRole('link', { name: 'Limits', exact: true })
    expect(await way.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).tap()
    await way.tap()
    await page.waitForURL('**/docs/limits')
    expect(await page.locator('#ways').isVisible()).toBe(false)
  })

  it('a cell says what its column is called', async () => {
    const { page } = await open(PHONE)
    await page.goto(`${base}/docs/errors`)
    const shown = "getComputedStyle(document.querySelector('td:nth-child(3)'), '::before').content"
    expect(await page.evaluate(shown)).toBe('"send it again? · "')
  })
})

it('what the browser has already is not sent again', async () => {
  const { page } = await open(DESK)
  await page.goto(`${base}/docs/limits`)
  answered.length = 0
  await page.reload()
  expect(answered).toEqual([304])
})
