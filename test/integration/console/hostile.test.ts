import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTerminalWallet } from '../../terminal-wallet.ts'
import { ConsoleWorld, enrol } from './parts/console-world.ts'
import { HOSTILE } from './parts/hostile.ts'

const PATIENCE = { timeout: 60_000 }

const world = new ConsoleWorld({ VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true' })
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
})
afterAll(() => world.stop())

const expectNothingRan = async (): Promise<void> => {
  expect(await page.locator('main img').count()).toBe(0)
  expect(await page.locator('main script').count()).toBe(0)
  expect(await page.title()).not.toBe('ran')
  expect(complaints).toEqual([])
}

/** A server of somebody else. */
const listening = async (answer: string, status = 200): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'text/html' }).end(answer)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('what a holder or a receiver wrote', () => {
  it('is text: the label of a wallet', async () => {
    const { invitationUrl } = await world.order('POST', '/v1/connections/invitations', {
      externalId: HOSTILE,
    })
    const folder = join(temporaryFolder('vouchsafe-console-wallet'), 'wallet')
    const words = ['--folder', folder, '--label', HOSTILE]
    const wallet = openTerminalWallet({ apiKey: world.apiKey, url: world.url }, words, PATIENCE)
    await wallet.shows('Paste an invitation link')
    wallet.type(String(invitationUrl))
    await wallet.shows(', completed')
    await page.goto(`${world.url}/console/connections`)
    await expect.poll(() => page.getByRole('cell').first().innerText()).toBe(HOSTILE)
    await expectNothingRan()
    await page.getByRole('cell').first().getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: HOSTILE }).waitFor()
    await expectNothingRan()
    expect(await wallet.quit()).toBe(0)
  })

  it('is text: what a webhook answered', async () => {
    const url = await listening(HOSTILE, 500)
    await page.goto(`${world.url}/console/webhook`)
    await page.getByLabel('Address').fill(`${url}/hook`)
    await page.getByRole('button', { name: 'Set the webhook' }).click()
    const secret = page.getByRole('dialog', { name: 'Your signing secret' })
    expect(await secret.locator('.codes').innerText()).toMatch(/^svc_whsec_/)
    // Nothing but the person's word closes it.
    await page.keyboard.press('Escape')
    expect(await secret.isVisible()).toBe(true)
    await secret.getByLabel('I have kept it').check()
    await secret.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Send a test event' }).click()
    await page.getByRole('link', { name: 'Show its attempts' }).click()
    await page.getByRole('heading', { level: 1, name: 'webhook.test' }).waitFor()
    await expect.poll(() => page.locator('.answer').first().innerText(), PATIENCE).toBe(HOSTILE)
    await expectNothingRan()
  })
})

describe('a page of somebody else', () => {
  it('cannot show the console in a frame', async () => {
    const { page: other } = await world.open()
    const base = await listening(`<iframe src="${world.url}/console"></iframe>`)
    await other.goto(base)
    await expect.poll(() => other.frames().length).toBe(2)
    const framed = other.frames().at(-1)
    await expect.poll(async () => (await framed?.content())?.includes('id="console"')).toBe(false)
    await other.context().close()
  })

  it('has no answer from the API, and changes nothing', async () => {
    const { page: other } = await world.open()
    await other.context().addCookies(await page.context().cookies())
    await other.goto(await listening('<title>elsewhere</title>'))
    const asked = await other.evaluate<string>(
      `fetch('${world.url}/v1/session', { method: 'DELETE', credentials: 'include' }).then(({ status }) => String(status), () => 'refused')`,
    )
    expect(asked).toBe('refused')
    await page.goto(`${world.url}/console/members`)
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await other.context().close()
  })
})

it('an id of another organisation shows nothing of it', async () => {
  const { id } = await world.order('POST', '/v1/operator/tenants', { name: 'Other organisation' })
  for (const path of [`connections/${String(id)}`, `templates/${String(id)}`, `credentials/cre_00other`]) {
    await page.goto(`${world.url}/console/${path}`)
    await page.getByText('There is no such record in your organisation.').waitFor()
    expect(await page.content()).not.toContain('Other organisation')
  }
})
