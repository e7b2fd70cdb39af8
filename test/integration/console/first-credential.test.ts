import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTerminalWallet } from '../../terminal-wallet.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'

const world = new ConsoleWorld()
beforeAll(() => world.start())
afterAll(() => world.stop())

const PATIENCE = { timeout: 60_000 }

const stateShown = (page: Page, state: string): Promise<void> =>
  expect.poll(() => page.locator('.page-head .badge').innerText(), PATIENCE).toBe(state)

const button = (page: Page, name: string) => page.getByRole('button', { name })

/** The way of the README: what somebody sees who has just started the service, to a proof that was verified. */
it('an organisation is set up, and a wallet has a credential and proves it, without the command line', async () => {
  const { page, complaints } = await world.open()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await enrol(page, world.invitation)

  await page.getByRole('link', { name: 'Write a schema' }).click()
  await page.getByLabel('Name', { exact: true }).fill('person')
  await page.getByLabel('Attribute 1').fill('name')
  await button(page, 'Add an attribute').click()
  await page.getByLabel('Attribute 2').fill('age')
  await page.getByLabel('Kind of value').nth(1).selectOption('Number that is compared')
  await page.getByText('A whole number without separators').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await button(page, 'Publish for ever').click()
  await page.getByRole('heading', { level: 1, name: 'person 1.0' }).waitFor()
  await stateShown(page, 'Published')

  await page.getByRole('link', { name: 'Make a definition' }).click()
  await button(page, 'Make and publish').click()
  await page.getByRole('heading', { level: 1, name: 'person 1.0 · default' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await stateShown(page, 'Published')

  await page.goto(`${world.url}/console/connections`)
  await page.getByRole('link', { name: 'Invite a holder' }).first().click()
  await page.getByLabel('External id').fill('guest-1')
  await button(page, 'Make the invitation').click()
  await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor()
  await page.reload()
  await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await button(page, 'Copy the link').click()
  const link = await page.evaluate<string>('navigator.clipboard.readText()')

  const folder = join(temporaryFolder('vouchsafe-console-wallet'), 'wallet')
  const wallet = openTerminalWallet({ apiKey: world.apiKey, url: world.url }, ['--folder', folder], PATIENCE)
  await wallet.shows('Paste an invitation link')
  wallet.type(link)
  await wallet.shows(', completed')

  await page.getByRole('link', { name: 'Offer a credential' }).click()
  await page.getByLabel('name', { exact: true }).fill('Ada Lovelace')
  await page.getByLabel('age', { exact: true }).fill('36')
  await page.getByLabel('Good until').fill('2030-03-17')
  expect(await faultsOf(page)).toEqual([])
  await button(page, 'Send the offer').click()
  await page.getByRole('heading', { level: 1, name: 'Credential exchange' }).waitFor()
  await wallet.shows('* An offer: name: Ada Lovelace, age: 36')
  wallet.type('accept')
  await stateShown(page, 'Done')
  await page.getByText('The wallet sent request-credential').waitFor()
  expect(await faultsOf(page)).toEqual([])

  await page.goto(`${world.url}/console/templates/new`)
  await page.getByLabel('Name', { exact: true }).fill('Entry')
  await page.getByLabel('person 1.0 · default').check()
  await page.getByLabel('name', { exact: true }).check()
  await button(page, 'Add a comparison').click()
  await page.getByLabel('Attribute', { exact: true }).selectOption('age')
  await page.getByLabel('Value', { exact: true }).fill('18')
  const preview = page.getByRole('complementary', { name: 'What the wallet shows' })
  await preview.getByText('age is at least 18').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await button(page, 'Save').click()
  await page.getByRole('heading', { level: 1, name: 'Entry' }).waitFor()

  await page.goto(`${world.url}/console/connections`)
  await page.getByRole('table').getByRole('link').first().click()
  await page.getByText('1 credential').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByRole('link', { name: 'Ask for a proof' }).click()
  await button(page, 'Send the request').click()
  await page.getByRole('heading', { level: 1, name: 'Proof exchange' }).waitFor()
  await wallet.shows('* A request: Entry. Say show, present or refuse.')
  wallet.type('show')
  await wallet.shows('that age >= 18, without seeing it')
  wallet.type('present')
  await stateShown(page, 'Verified')
  await page.getByRole('definition').filter({ hasText: 'Ada Lovelace' }).waitFor()
  expect(await faultsOf(page)).toEqual([])
  expect(await wallet.quit()).toBe(0)

  await page.locator('#side').getByRole('link', { name: 'Overview' }).click()
  const credentials = page.getByRole('region', { name: 'Credentials' })
  await credentials.getByText('100 % went well').waitFor()
  await credentials.getByText('1 issued and received, 0 declined or given up', { exact: true }).waitFor()
  await credentials.getByText('As a table').click()
  await expect.poll(() => credentials.getByRole('row').count()).toBe(25)
  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL('**/overview?period=quarter')
  await expect.poll(() => credentials.locator('svg g').count()).toBe(90)
  expect(await faultsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})
