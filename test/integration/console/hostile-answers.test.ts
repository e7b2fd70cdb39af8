import type { Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { ConsoleWorld, enrol } from './parts/console-world.ts'
import { furnish } from './parts/furnished.ts'
import { expectNothingRan, HOSTILE, type OtherServer, serverOfOthers } from './parts/hostile.ts'
import { goToPage, MEMBER_PAGES, OPERATOR_PAGES } from './parts/pages.ts'

/** What decides which page is shown; everything else that an answer says may be anything. */
const KEPT = new Set(['kind', 'role', 'id', 'vendor'])
const DATE = /^\d{4}-\d\d-\d\dT/
/** Their names are chosen by the organisation or by its holders. */
const WITH_FREE_NAMES = new Set(['attributes', 'disclosed', 'settings', 'failures'])

const world = new ConsoleWorld({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' })
let receiver: OtherServer
let records: readonly string[] = []
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  receiver = await serverOfOthers('Thank you.')
  ;({ records } = await furnish(world, { receiver: receiver.url }))
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
}, 180_000)
afterAll(async () => {
  await world.stop()
  receiver.server.close()
})

const spoiled = (value: unknown, name = ''): unknown => {
  if (typeof value === 'string') return KEPT.has(name) || DATE.test(value) ? value : HOSTILE
  if (Array.isArray(value)) return value.map((each) => spoiled(each, name))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([key, each]) => [key, spoiled(each, key)])
  return { ...Object.fromEntries(fields), ...(WITH_FREE_NAMES.has(name) && { [HOSTILE]: HOSTILE }) }
}

const spoil = async (route: Route): Promise<void> => {
  if (route.request().url().endsWith('/events/stream')) return route.continue()
  const response = await route.fetch()
  return route.fulfill({ response, json: spoiled(await response.json()) })
}

describe('an answer in which every text is hostile', () => {
  it('is shown as text on every page of a member', async () => {
    await page.route('**/v1/**', spoil)
    onTestFinished(() => page.unroute('**/v1/**', spoil))
    for (const path of [...MEMBER_PAGES, ...records]) {
      await goToPage(page, world, path)
      await expectNothingRan(page, complaints)
      // It is there, so it could have run.
      expect(await page.locator('body').innerText(), path).toContain('<script>')
    }
  }, 120_000)

  it('is shown as text on every page of an operator', async () => {
    const opened = await world.open()
    await enrol(opened.page, await world.inviteOperator('ops'), 'Oskar Operator', 'Organisations')
    await opened.page.route('**/v1/**', spoil)
    for (const path of [...OPERATOR_PAGES, `organisations/${world.organisation}`, 'account']) {
      await goToPage(opened.page, world, path)
      await expectNothingRan(opened.page, opened.complaints)
    }
    await opened.page.context().close()
  }, 120_000)

  it('is shown as text where it says what is wrong with a form', async () => {
    const refuse = (route: Route): Promise<void> =>
      route.fulfill({ status: 400, json: { error: HOSTILE, reason: `name ${HOSTILE}` } })
    await page.route('**/v1/schemas', (route) =>
      route.request().method() === 'POST' ? refuse(route) : route.continue(),
    )
    await page.goto(`${world.url}/console/schemas/new`)
    await page.getByLabel('Name', { exact: true }).fill(HOSTILE)
    await page.getByLabel('Attribute 1').fill('name')
    await page.getByRole('button', { name: 'Publish for ever' }).click()
    await expect.poll(() => page.locator('main').innerText()).toContain('<script>')
    await expectNothingRan(page, complaints)
    await page.unroute('**/v1/schemas')
  })
})
