import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { against } from '../../e2e/against.ts'
import { confirmIn } from './parts/confirmed.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { ordering, publish } from './parts/furnished.ts'
import { HeardWebhooks, signaturesBy } from './parts/heard-webhooks.ts'
import { goToPage } from './parts/pages.ts'

const PATIENCE = { timeout: 60_000 }

const world = new ConsoleWorld({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' })
const receiver = new HeardWebhooks()
let page: Page
let complaints: string[]
let made: Awaited<ReturnType<typeof publish>>
beforeAll(async () => {
  await Promise.all([world.start(), receiver.start()])
  made = await publish(ordering(world))
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
}, 120_000)
afterAll(async () => {
  await world.stop()
  receiver.stop()
})

const shown = (path: string): Promise<void> => goToPage(page, world, path)
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** Pressed in the page, and once more where it is said what it does. */
const order = async (name: string, title: string, go: string): Promise<void> => {
  await button(name).click()
  await confirmIn(page, title, go)
}

const secretShown = async (): Promise<string> => {
  const dialog = page.getByRole('dialog', { name: 'Your signing secret' })
  const secret = await dialog.locator('.codes').innerText()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('I have kept it').check()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => dialog.count()).toBe(0)
  return secret
}

const isTried = async (): Promise<number> => {
  const before = receiver.heard.length
  await button('Send a test event').click()
  await page.getByRole('status').getByText('Delivered').waitFor()
  await expect.poll(() => receiver.heard.length, PATIENCE).toBe(before + 1)
  return before
}

it('a webhook is set, tried, given a new secret beside the old one, narrowed and removed', async () => {
  await shown('webhook')
  await page.getByText('No webhook is set.').waitFor()
  await page.getByLabel('Address').fill(receiver.url)
  await button('Set the webhook').click()
  const first = await secretShown()
  await page.getByRole('heading', { name: 'In force' }).waitFor()
  const at = await isTried()
  expect(receiver.heard[at]?.type).toBe('webhook.test')
  expect(receiver.heard.slice(at).map((each) => signaturesBy(each, [first]))).toEqual([[0]])

  await order('New secret', 'Make a new signing secret?', 'Make a new secret')
  const second = await secretShown()
  expect(second).toMatch(/^svc_whsec_/)
  expect(second).not.toBe(first)
  await page.getByText('Deliveries carry two signatures').waitFor()
  await page.reload()
  await page.getByText('Deliveries carry two signatures').waitFor()
  // When the new one was made, and until when the old one counts.
  expect(await page.locator('dl time').count()).toBeGreaterThan(0)
  expect(await page.getByText('Deliveries carry two signatures').innerText()).toMatch(/until .*\d\d:\d\d/)
  expect(await page.content()).not.toContain(second)
  const again = await isTried()
  expect(receiver.heard.slice(again).map((each) => signaturesBy(each, [second, first]))).toEqual([[0, 1]])

  await page.getByLabel('Events of every type').uncheck()
  await page.getByLabel('wallet.sync_requested').uncheck()
  await button('Save').click()
  await expect
    .poll(() => page.locator('dl').innerText())
    .toContain('connection.state_changed, credential.state_changed')
  expect(await page.locator('dl').innerText()).not.toContain('wallet.sync_requested')
  expect(await page.getByRole('dialog').count()).toBe(0)

  await order('Remove', 'Remove the webhook?', 'Remove the webhook')
  await page.getByText('No webhook is set.').waitFor()
  expect(complaints).toEqual([])
})

it('an address that is no webhook is refused at its field', async () => {
  await shown('webhook')
  await page.getByLabel('Address').fill('https://user:secret@receiver.example/')
  await button('Set the webhook').click()
  await expect.poll(() => page.locator('.field .fault').innerText()).toMatch(/url/i)
  expect(await page.getByLabel('Address').getAttribute('aria-invalid')).toBe('true')
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Address').fill('')
})

const FIRST = '2026-01-05T08:00:00.000Z'
const WEEK_OLD = {
  retentionDays: 7,
  finishedBefore: '2026-02-01T08:00:00.000Z',
  records: [
    { recordType: 'credential', records: 1_042, firstFinishedAt: FIRST },
    { recordType: 'proof', records: 1, firstFinishedAt: FIRST },
    { recordType: 'connection', records: 3, firstFinishedAt: FIRST },
  ],
}

it('data retention is shortened after it was said what that means', async () => {
  await shown('retention')
  await expect.poll(() => page.locator('dl').innerText()).toContain('90 days')
  await page.getByLabel('Days').fill('30')
  await page.getByText('what is older goes soon after you save').waitFor()
  await page.getByText('nothing goes: nothing finished before').waitFor()
  // What finished a week ago takes a week, and no test waits for that.
  await page.route('**/v1/data-retention/preview?retentionDays=7', (route) =>
    route.fulfill({ json: WEEK_OLD }),
  )
  await page.getByLabel('Days').fill('7')
  await page.getByText('1,042 credential exchanges: their values').waitFor()
  await page.getByText('1 proof exchange: what was shown').waitFor()
  await page.getByText('3 connections: what their webhooks said').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Days').fill('30')
  await expect.poll(() => page.getByText('1,042').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  await button('Save').click()
  await expect.poll(() => page.locator('dl').innerText()).toContain('30 days')
  await page.getByLabel('Days').fill('-1')
  await button('Save').click()
  await expect
    .poll(() => page.getByRole('alert').or(page.locator('.field .fault')).count())
    .toBeGreaterThan(0)
  await page.getByLabel('Days').fill('0')
  await button('Save').click()
  await expect.poll(() => page.locator('dl').innerText()).toContain('kept until it is erased')
  expect(await world.order('GET', '/v1/data-retention')).toMatchObject({ retentionDays: 0 })
})

const expectTried = async (): Promise<void> => {
  await shown('biometric')
  await page.getByLabel('Who checks').selectOption('AWS Rekognition')
  await page.getByLabel('Secret access key').waitFor()
  expect(await page.getByLabel('Secret access key').getAttribute('type')).toBe('password')
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('Who checks').selectOption('The sandbox, for trials')
  await page.getByLabel('Attempts').fill('2')
  await page.getByLabel('membership 1.0 · harbour').check()
  await button('Save').click()
  const inForce = page.locator('section').filter({ has: page.getByRole('heading', { name: 'In force' }) })
  await expect.poll(() => inForce.innerText()).toContain('The sandbox, for trials')
  expect(await inForce.innerText()).toContain('membership 1.0 · harbour')
  await button('Try it now').click()
  await page.getByText('Everything that a check needs is allowed.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('membership 1.0 · harbour').uncheck()
  await page.getByLabel('Who checks').selectOption('Nobody')
  await button('Save').click()
  await expect.poll(() => inForce.innerText()).toContain('Nobody')
  expect(complaints).toEqual([])
}

// The vendor for trials is there on the ledger for trials alone.
it.each(against === null ? [expectTried] : [])(
  'face checks are set up with a vendor, which is tried, and a definition is put behind them',
  (expectSetUp) => expectSetUp(),
)

it('a template is changed and archived, a definition and its schema are deprecated', async () => {
  await shown(`templates/${made.templateId}`)
  await page.getByLabel('Name', { exact: true }).fill('Entry by day')
  await page.getByLabel('age', { exact: true }).check()
  await button('Save').click()
  await page.getByRole('heading', { level: 1, name: 'Entry by day' }).waitFor()
  const path = `/v1/proof-templates/${made.templateId}`
  await expect
    .poll(async () => (await world.order('GET', path))['groups'])
    .toMatchObject([{ attributes: ['name', 'age'] }])
  await order('Archive', 'Archive this template?', 'Archive it')
  const state = page.locator('.page-head .badge')
  await expect.poll(() => state.innerText()).toBe('Archived')
  expect(await page.locator('main form').count()).toBe(0)

  await shown(`definitions/${made.definitionId}`)
  await order('Deprecate', 'Deprecate this definition?', 'Deprecate it')
  await expect.poll(() => state.innerText()).toBe('Deprecated')
  await shown('credentials/new')
  await page.getByText('An offer needs a published credential definition.').waitFor()
  await shown(`schemas/${made.schemaId}`)
  await order('Deprecate', 'Deprecate this schema?', 'Deprecate it')
  await expect.poll(() => state.innerText()).toBe('Deprecated')
  expect(await page.getByRole('link', { name: 'Make a definition' }).count()).toBe(0)
  await shown('definitions/new')
  await page.getByText('No published schema').waitFor()
  expect(complaints).toEqual([])
})
