import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ConsoleWorld, DESK, enrol, faultsOf, PHONE } from './parts/console-world.ts'
import { HOSTILE } from './parts/hostile.ts'
import { goToPage, MEMBER_PAGES } from './parts/pages.ts'

const PAGES = [
  ...MEMBER_PAGES,
  'overview?period=month',
  'connections/con_that_is_not_there',
  'offers/coj_that_is_not_there',
  'nowhere',
]

/** Names of fields for words in which nobody could read what was typed. */
const NARROW_FIELDS = `[...document.querySelectorAll('input')]
  .filter((field) => ['text', 'search', 'email', 'password', 'url'].includes(field.type))
  .filter((field) => field.checkVisibility() && field.getBoundingClientRect().width < 120)
  .map((field) => field.labels[0]?.textContent ?? field.name)`

const world = new ConsoleWorld()
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
beforeAll(async () => {
  await world.start()
  const { page } = await world.open()
  await enrol(page, world.invitation, HOSTILE)
  const { id } = await world.order('POST', '/v1/schemas', {
    name: 'person',
    version: '1.0',
    attributes: ['name', 'expiresAt'],
  })
  const schema = () => world.order('GET', `/v1/schemas/${String(id)}`)
  await vi.waitUntil(async () => (await schema())['status'] === 'published', { timeout: 30_000 })
  state = await page.context().storageState()
})
afterAll(() => world.stop())

const opened = async (options: BrowserContextOptions) => world.open({ ...options, storageState: state })

const shown = (page: Page, path: string): Promise<void> => goToPage(page, world, path)

describe('every page', () => {
  it.each([
    ['a desk, light', { ...DESK, colorScheme: 'light' }],
    ['a desk, dark', { ...DESK, colorScheme: 'dark' }],
    ['a phone', PHONE],
  ] as const)('fits %s, can be used by everybody, and has nothing to complain of', async (_, options) => {
    const { page, complaints } = await opened(options)
    for (const path of PAGES) {
      await shown(page, path)
      expect(await faultsOf(page), path).toEqual([])
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      expect(wider, path).toBeLessThanOrEqual(0)
      expect(await page.evaluate<string[]>(NARROW_FIELDS), path).toEqual([])
      expect(await page.locator('h1').count(), path).toBe(1)
      expect(await page.title(), path).toContain('Vouchsafe')
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('what others have written', () => {
  it('is shown as text and runs nowhere: a name, a search, an address', async () => {
    const { page, complaints } = await opened(DESK)
    await shown(page, 'members')
    expect(await page.getByRole('cell').first().innerText()).toContain(HOSTILE)
    expect(await page.locator('.side .who').innerText()).toContain(HOSTILE)
    await shown(page, `audit?q=${encodeURIComponent(HOSTILE)}`)
    expect(await page.getByRole('searchbox').inputValue()).toBe(HOSTILE.slice(0, 100))
    await shown(page, `credentials?connectionId=${encodeURIComponent(HOSTILE)}`)
    await shown(page, `connections/${encodeURIComponent(HOSTILE)}`)
    await page.getByText('There is no such record').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.title()).not.toBe('ran')
    expect(complaints).toEqual([])
    await page.context().close()
  })
})

describe('with the keyboard', () => {
  it('the first step leads past the ways, and a page that is gone to has the focus at its heading', async () => {
    const { page } = await opened(DESK)
    await shown(page, 'overview')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await page.evaluate('document.activeElement.id')).toBe('content')
    await page.getByRole('link', { name: 'Audit log' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Audit log')
    await page.context().close()
  })

  it('a list is searched, and the way back leads to what was shown before', async () => {
    const { page } = await opened(DESK)
    await shown(page, 'audit')
    await page.getByRole('searchbox').focus()
    await page.keyboard.type('confirmEnrolment')
    await page.waitForURL('**/audit?q=confirmEnrolment')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    expect(await page.locator('.pager .total').innerText()).toBe('1–1 of 1')
    await page.reload()
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('confirmEnrolment')
    await page.getByRole('button', { name: 'Clear all' }).press('Enter')
    await page.waitForURL('**/audit')
    await page.context().close()
  })
})

it('on a phone the ways come when they are asked for and go when one is taken', async () => {
  const { page } = await opened(PHONE)
  await shown(page, 'overview')
  const way = page.locator('#side').getByRole('link', { name: 'Schemas' })
  expect(await way.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).tap()
  expect(await faultsOf(page)).toEqual([])
  await way.tap()
  await page.getByRole('heading', { level: 1, name: 'Schemas' }).waitFor()
  expect(await way.isVisible()).toBe(false)
  await page.context().close()
})
