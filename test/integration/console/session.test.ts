import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Authenticator,
  ConsoleWorld,
  DEVELOPER,
  enrol,
  faultsOf,
  PASSWORD,
} from './parts/console-world.ts'
import { typeCode, typePassword, wantsFreshCode } from './parts/signing-in.ts'

const world = new ConsoleWorld()
let authenticator: Authenticator
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  const opened = await world.open()
  ;({ page, complaints } = opened)
  authenticator = await enrol(page, world.invitation)
})
afterAll(() => world.stop())

describe('a session that ends while somebody types', () => {
  it('is begun again over the page, and what was typed is sent', async () => {
    await page.goto(`${world.url}/console/schemas/new`)
    await page.getByLabel('Name', { exact: true }).fill('membership')
    await page.getByLabel('Attribute 1').fill('name')
    await page.context().clearCookies({ name: '__Host-vouchsafe' })
    await page.getByRole('button', { name: 'Publish for ever' }).click()

    const dialog = page.getByRole('dialog', { name: 'Your session is over' })
    await dialog.waitFor()
    expect(await faultsOf(page)).toEqual([])
    // Whoever is there now sees nothing of the page behind.
    const veil = "getComputedStyle(document.querySelector('dialog'), '::backdrop').backgroundColor"
    expect(await page.evaluate(veil)).toMatch(/^rgb\(/)
    await page.keyboard.press('Escape')
    expect(await dialog.isVisible()).toBe(true)

    // Who it is stands there already.
    expect(await page.evaluate('document.activeElement.name')).toBe('password')
    await dialog.getByLabel('Password').fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await typeCode(page, authenticator)
    await page.getByRole('heading', { level: 1, name: 'membership 1.0' }).waitFor()
    expect(await dialog.count()).toBe(0)
    await expect.poll(() => page.locator('.page-head .badge').innerText()).toBe('Published')
    expect(complaints).toEqual([])
  })

  it('leaves what was typed to the same person, and to nobody else who signs in there', async () => {
    const { page: other } = await world.open()
    const member = { emailAddress: 'hedy@example.org', role: 'admin' }
    const { invitationLink } = await world.order('POST', '/v1/members', member)
    const hedys = await enrol(other, String(invitationLink), 'Hedy Lamarr')
    const name = other.getByLabel('Name', { exact: true })
    const comeBack = async (emailAddress: string, device: Authenticator) => {
      await other.context().clearCookies({ name: '__Host-vouchsafe' })
      await other.reload()
      await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
      await typePassword(other, world, { emailAddress })
      await typeCode(other, device)
      await other.getByRole('heading', { level: 1, name: 'New schema' }).waitFor()
    }
    await other.goto(`${world.url}/console/schemas/new`)
    await name.fill('what Hedy typed')
    await comeBack(member.emailAddress, hedys)
    expect(await name.inputValue()).toBe('what Hedy typed')
    await comeBack(DEVELOPER, authenticator)
    expect(await name.inputValue()).toBe('')
    expect(await other.evaluate('JSON.stringify(sessionStorage)')).not.toContain('what Hedy typed')
    await other.context().close()
  })

  it('may be left instead', async () => {
    const { page: other } = await world.open()
    const cookies = await page.context().cookies()
    await other.context().addCookies(cookies)
    await other.goto(`${world.url}/console/members`)
    await other.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await other.context().clearCookies({ name: '__Host-vouchsafe' })
    await other.getByRole('searchbox').fill('ada')
    await other.getByRole('button', { name: 'Leave instead' }).click()
    await other.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await other.content()).not.toContain('Ada Lovelace')
    await other.context().close()
  })
})

describe('a fresh code', () => {
  it('is asked for where it is needed, after which what was typed is sent as it was', async () => {
    await page.goto(`${world.url}/console/members`)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const invite = page.getByRole('dialog', { name: 'Invite somebody' })
    await invite.getByLabel('E-mail address').fill('grace@example.org')
    await invite.getByLabel('Role').selectOption('admin')
    await wantsFreshCode(page, '/v1/members')
    await invite.getByRole('button', { name: 'Make the link' }).click()

    const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await stepUp.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await stepUp.getByLabel('Code').fill('000000')
    await page.keyboard.press('Enter')
    await stepUp.getByRole('alert').waitFor()
    await stepUp.getByLabel('Code').fill(await authenticator.next())
    await page.keyboard.press('Enter')

    const link = page.getByRole('dialog', { name: 'The link for your colleague' })
    await expect.poll(() => link.innerText()).toContain('/console/invitation#acc_')
    await expect.poll(() => link.innerText()).toContain('grace@example.org')
    await link.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('cell', { name: 'grace@example.org' }).waitFor()
  })

  it('that is not shown changes nothing, and the form is still there', async () => {
    await page.goto(`${world.url}/console/members`)
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const invite = page.getByRole('dialog', { name: 'Invite somebody' })
    await invite.getByLabel('E-mail address').fill('alan@example.org')
    await wantsFreshCode(page, '/v1/members')
    await invite.getByRole('button', { name: 'Make the link' }).click()
    const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
    await stepUp.getByRole('button', { name: 'Cancel' }).click()
    await expect.poll(() => stepUp.count()).toBe(0)
    expect(await invite.getByLabel('E-mail address').inputValue()).toBe('alan@example.org')
    expect(await invite.getByRole('alert').innerText()).toContain('fresh code')
    await page.keyboard.press('Escape')
    await expect.poll(() => invite.count()).toBe(0)
  })
})

describe('what is typed into a form', () => {
  it('is there after a reload, and gone after it was sent or signed out', async () => {
    await page.goto(`${world.url}/console/schemas/new`)
    await page.getByLabel('Name', { exact: true }).fill('half a schema')
    await page.getByRole('button', { name: 'Add an attribute' }).click()
    await page.getByLabel('Attribute 2').fill('birthdate')
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'New schema' }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('half a schema')
    expect(await page.getByLabel('Attribute 2').inputValue()).toBe('birthdate')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('half a schema')
  })
})

it('a page whose files are gone, because the service was renewed, is loaded anew by itself', async () => {
  const { page: other, complaints: own } = await world.open()
  await enrolAgain(other)
  let isGone = true
  await other.route('**/console/assets/setup.*.js', async (route) => {
    if (!isGone) return route.continue()
    isGone = false
    return route.fulfill({ status: 404, json: { error: 'not_found', reason: 'There is no such file.' } })
  })
  await other.getByRole('link', { name: 'Schemas' }).click()
  await other.getByRole('heading', { level: 1, name: 'Schemas' }).waitFor()
  expect(isGone).toBe(false)
  expect(own).toEqual([])
  await other.context().close()
})

/** Somebody of their own, so that the tests before do not matter. */
const enrolAgain = async (other: Page): Promise<void> => {
  const order = { emailAddress: 'joan@example.org', role: 'admin' }
  const { invitationLink } = await world.order('POST', '/v1/members', order)
  await enrol(other, String(invitationLink), 'Joan Clarke')
}
