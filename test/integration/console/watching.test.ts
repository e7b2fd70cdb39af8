import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { confirmIn } from './parts/confirmed.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { type Furnished, furnish } from './parts/furnished.ts'
import { HeardWebhooks } from './parts/heard-webhooks.ts'
import { goToPage } from './parts/pages.ts'

const PATIENCE = { timeout: 60_000 }

const world = new ConsoleWorld({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' })
const receiver = new HeardWebhooks()
let page: Page
let complaints: string[]
let made: Furnished
beforeAll(async () => {
  await Promise.all([world.start(), receiver.start()])
  made = await furnish(world, { receiver: receiver.url })
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
}, 180_000)
afterAll(async () => {
  await world.stop()
  receiver.stop()
})

const shown = (path: string): Promise<void> => goToPage(page, world, path)
const button = (name: string) => page.getByRole('button', { name, exact: true })
const state = () => page.locator('.page-head .badge').innerText()
const rows = () => page.locator('tbody tr')

const order = async (name: string, title: string, go: string): Promise<void> => {
  await button(name).click()
  await confirmIn(page, title, go)
}

const recordOf = (list: string): string => made.records.find((path) => path.startsWith(`${list}/`)) ?? ''

it('a list is narrowed by its filters, says the exact total, and its address shows the same to somebody else', async () => {
  await shown('credentials')
  const all = await rows().count()
  expect(await page.locator('.pager .total').innerText()).toBe(`1–${all} of ${all}`)
  await page.getByLabel('State').selectOption('Declined')
  await page.waitForURL('**/credentials?state=declined')
  await expect.poll(() => rows().count()).toBe(1)
  await page.getByRole('searchbox').fill('PASS-2042')
  await page.waitForURL('**/credentials?*q=PASS-2042*')
  const address = page.url()
  const { page: other } = await world.open()
  await other.context().addCookies(await page.context().cookies())
  await other.goto(address)
  await other.getByRole('cell', { name: 'pass-2042' }).waitFor()
  expect(await other.locator('.pager .total').innerText()).toBe('1–1 of 1')
  await other.context().close()
  await page.getByLabel('State').selectOption('Issued')
  await page.getByText('No record fits all of these filters.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await button('Clear all').click()
  await expect.poll(() => rows().count()).toBe(all)
})

it('a filter that changes while somebody types is kept, with what was typed', async () => {
  await shown('credentials')
  const all = await rows().count()
  await page.getByRole('searchbox').fill('pass')
  await page.getByLabel('State').selectOption('Declined')
  await page.waitForURL('**/credentials?q=pass&state=declined')
  await page.getByRole('searchbox').fill('pass-2')
  await page.waitForURL('**/credentials?q=pass-2&state=declined')
  await page.getByRole('searchbox').fill('pass-20')
  await button('Clear all').click()
  await page.waitForURL('**/console/credentials')
  expect(await page.getByRole('searchbox').inputValue()).toBe('')
  await expect.poll(() => rows().count()).toBe(all)
})

it('what is found of proofs is narrowed by their template, and of the audit log by its days', async () => {
  await shown('proofs')
  const fields = await page.locator('.filters .field').all()
  const places = await Promise.all(fields.map((field) => field.boundingBox()))
  expect(new Set(places.map((place) => place?.y)).size, 'rows of filters').toBe(1)
  const all = await rows().count()
  await page.getByLabel('Template').selectOption('Entry')
  await page.waitForURL('**/proofs?proofTemplateId=*')
  await expect.poll(() => rows().count()).toBe(all)
  await shown('audit?to=2020-01-01')
  await page.getByText('No record fits all of these filters.').waitFor()
  await page.getByLabel('Created until').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10))
  await expect.poll(() => rows().count()).toBeGreaterThan(0)
})

it('a page beyond the last one leads to the last one', async () => {
  await page.goto(`${world.url}/console/credentials?page=40`)
  await page.getByRole('cell', { name: 'pass-2041' }).waitFor()
  await page.waitForURL('**/console/credentials')
  expect(await page.locator('.pager .total').innerText()).toMatch(/^1–(\d+) of \1$/)
  await shown(`${recordOf('offers')}?page=9`)
  await expect.poll(() => rows().count()).toBe(3)
  await page.getByLabel('Outcome').selectOption('Waiting')
  await page.getByText('No record fits all of these filters.').waitFor()
  expect(await faultsOf(page)).toEqual([])
})

it('support follows one holder: the connection, its exchanges, and what happened step by step', async () => {
  await shown('connections?q=guest-1041')
  await page.getByRole('link', { name: 'Phone of Ada' }).click()
  await page.getByText('1 credential').waitFor()
  await page.getByText('2 proofs').waitFor()
  await page.getByRole('link', { name: 'pass-2041' }).click()
  await page.getByRole('heading', { level: 1, name: 'pass-2041' }).waitFor()
  const timeline = page.getByRole('region', { name: 'What has happened' })
  await timeline.getByText('The wallet sent request-credential').waitFor()
  await expect.poll(() => timeline.innerText()).toContain('Webhook: delivered')
})

it('a delivery that is not taken shows why, and is sent again by hand, alone or with all others of its state', async () => {
  receiver.isWell = false
  await shown('webhook')
  await button('Send a test event').click()
  await page.getByRole('link', { name: 'Show its attempts' }).click()
  await page.getByRole('heading', { level: 1, name: 'webhook.test' }).waitFor()
  await expect
    .poll(() => page.locator('.answer').first().innerText(), PATIENCE)
    .toBe('The ticket office is closed for the night.')
  expect(await state()).toBe('Pending')
  expect(await faultsOf(page)).toEqual([])
  receiver.isWell = true
  await button('Send again').click()
  await expect.poll(state, PATIENCE).toBe('Delivered')

  receiver.isWell = false
  await shown('webhook')
  await button('Send a test event').click()
  await page.getByRole('link', { name: 'Show its attempts' }).click()
  await page.locator('.answer').first().waitFor()
  const delivery = page.url()
  receiver.isWell = true
  const before = receiver.heard.length
  await shown('deliveries')
  await button('Send many again').click()
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again' })
  expect(await dialog.getByLabel('State').inputValue()).toBe('dead')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('State').selectOption('Pending')
  await dialog.getByRole('button', { name: 'Send them again' }).click()
  await dialog.getByText('It was ordered and has begun.').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => receiver.heard.length, PATIENCE).toBeGreaterThan(before)
  await page.goto(delivery)
  await expect.poll(state, PATIENCE).toBe('Delivered')
  await shown('deliveries?status=pending')
  await page.getByText('No record fits all of these filters.').waitFor()
  expect(complaints).toEqual([])
})

it('what was given up comes first, and leads to where it is sent again', async () => {
  await shown('deliveries')
  expect(await page.getByText('deliveries were given up').count()).toBe(0)
  // A delivery is given up after two hours and a half, which no test waits for.
  await page.route('**/v1/webhook/deliveries?status=dead', async (route) => {
    const response = await route.fetch()
    return route.fulfill({ response, json: { ...((await response.json()) as object), total: 1_204 } })
  })
  onTestFinished(() => page.unroute('**/v1/webhook/deliveries?status=dead'))
  await shown('deliveries')
  await page.getByText('1,204 deliveries were given up').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Show them' }).click()
  await page.waitForURL('**/deliveries?status=dead')
  await expect.poll(() => page.getByText('1,204 deliveries were given up').count()).toBe(0)
})

it('an offer that runs is cancelled', async () => {
  await shown('credentials?q=pass-2043')
  await rows().first().getByRole('link').first().click()
  await expect.poll(state).toBe('Offer sent')
  // What runs is not erased by itself.
  expect(await button('Erase').count()).toBe(0)
  await order('Cancel exchange', 'Cancel this exchange?', 'Cancel the exchange')
  await expect.poll(state, PATIENCE).toBe('Abandoned')
  expect(await faultsOf(page)).toEqual([])
})

it('what somebody asks to be erased is gone: one exchange, and then a holder with everything', async () => {
  await shown(recordOf('credentials'))
  await page.getByRole('definition').filter({ hasText: 'Ada Lovelace' }).waitFor()
  await button('Erase').click()
  const dialog = page.getByRole('dialog', { name: 'Erase the personal data of this exchange?' })
  expect(await dialog.innerText()).toContain("in the holder's wallet is not touched")
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await order('Erase', 'Erase the personal data of this exchange?', 'Erase for ever')
  await page.getByText('The values were erased.').waitFor()
  expect(await page.locator('main').innerText()).not.toContain('Ada Lovelace')
  expect(await faultsOf(page)).toEqual([])

  await shown(`connections/${made.connectionId}`)
  await order('Erase', 'Erase this connection?', 'Erase for ever')
  await expect.poll(state, PATIENCE).toBe('Closed')
  expect(await page.locator('main').innerText()).not.toContain('Phone of Ada')
  await shown('erasures')
  // The connection, the credential and two proofs.
  await expect.poll(() => rows().count(), PATIENCE).toBe(4)
  expect(await rows().first().innerText()).toContain('Member')
  await page.getByLabel('Kind').selectOption('Connection')
  await expect.poll(() => rows().count()).toBe(1)
  await rows().first().getByRole('link').click()
  await expect.poll(state).toBe('Closed')
  await page.goto(`${world.url}/console/audit?q=eraseConnection`)
  await expect.poll(() => rows().count()).toBe(1)
  expect(complaints).toEqual([])
})
