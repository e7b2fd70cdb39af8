import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTerminalWallet } from '../../terminal-wallet.ts'
import { ConsoleWorld, enrol } from './parts/console-world.ts'

const world = new ConsoleWorld()
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
})
afterAll(() => world.stop())

const PATIENCE = { timeout: 60_000 }

const connects = async (label: string): Promise<void> => {
  const { invitationUrl } = await world.order('POST', '/v1/connections/invitations', { externalId: label })
  const folder = join(temporaryFolder('vouchsafe-console-wallet'), 'wallet')
  const words = ['--folder', folder, '--label', label]
  const wallet = openTerminalWallet({ apiKey: world.apiKey, url: world.url }, words, PATIENCE)
  await wallet.shows('Paste an invitation link')
  wallet.type(String(invitationUrl))
  await wallet.shows(', completed')
  expect(await wallet.quit()).toBe(0)
}

it('a list shows what happens while it is looked at, and asks seldom while nothing does', async () => {
  const opened = page.waitForResponse((response) => response.url().endsWith('/v1/events/stream'))
  await page.goto(`${world.url}/console/connections`)
  expect((await opened).headers()['content-type']).toContain('text/event-stream')
  await page.getByText('No wallet is connected yet').waitFor()
  await page.waitForLoadState('networkidle')
  let asked = 0
  page.on('request', (request) => {
    if (request.url().includes('/v1/connections?')) asked += 1
  })
  await connects('Phone of Ada')
  await page.getByRole('link', { name: 'Phone of Ada' }).waitFor()
  await expect
    .poll(() => page.getByRole('row').filter({ hasText: 'Phone of Ada' }).innerText())
    .toContain('Connected')
  expect(asked).toBeGreaterThan(0)
  // A record that is over is shown from then on by what happens to it: the list is asked once more and then no more.
  await page.waitForTimeout(5_000)
  asked = 0
  await page.waitForTimeout(15_000)
  expect(asked).toBe(0)
  expect(complaints).toEqual([])
})

it('where the stream is refused the list is asked by the clock', async () => {
  await page.route('**/v1/events/stream', (route) =>
    route.fulfill({ status: 429, json: { error: 'rate_limited', reason: 'All places are taken.' } }),
  )
  await page.reload()
  await page.getByRole('link', { name: 'Phone of Ada' }).waitFor()
  await connects('Phone of Grace')
  await page.getByRole('link', { name: 'Phone of Grace' }).waitFor()
  expect(await page.getByRole('table').getByRole('row').count()).toBe(3)
})
