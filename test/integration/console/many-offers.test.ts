import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openTerminalWallet } from '../../terminal-wallet.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'

const FORMULA = '=HYPERLINK("https://evil.example")'
const PATIENCE = { timeout: 60_000 }

const world = new ConsoleWorld()
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
  await published('/v1/schemas', { name: 'person', version: '1.0', attributes: ['name', 'age', 'expiresAt'] })
  const { items } = await world.order('GET', '/v1/schemas')
  const [{ id: schemaId } = { id: '' }] = items as readonly { readonly id: string }[]
  await published('/v1/credential-definitions', { schemaId, tag: 'default' })
})
afterAll(() => world.stop())

const published = async (path: string, body: object): Promise<void> => {
  const { id } = await world.order('POST', path, body)
  const isPublished = async (): Promise<boolean> =>
    (await world.order('GET', `${path}/${String(id)}`))['status'] === 'published'
  await vi.waitUntil(isPublished, { timeout: 60_000, interval: 200 })
}

const choose = (name: string, text: string): Promise<void> =>
  page.getByLabel('Table as CSV').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

it('many credentials are offered from a table, whose faults are said by line before', async () => {
  const { invitationUrl } = await world.order('POST', '/v1/connections/invitations', {})
  const folder = join(temporaryFolder('vouchsafe-console-wallet'), 'wallet')
  const words = ['--folder', folder, '--label', FORMULA]
  const wallet = openTerminalWallet({ apiKey: world.apiKey, url: world.url }, words, PATIENCE)
  await wallet.shows('Paste an invitation link')
  wallet.type(String(invitationUrl))
  await wallet.shows(', completed')

  await page.goto(`${world.url}/console/offers`)
  await page.getByRole('link', { name: 'Offer many credentials' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Offer many credentials' }).waitFor()
  await page.getByText('connectionId, name, age').waitFor()
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download a table to fill in' }).click()
  const table = readFileSync(await (await saving).path(), 'utf8')
  // Whoever opens it in a spreadsheet computes nothing that a holder wrote.
  expect(table).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  const [head = '', line = ''] = table.split('\r\n')
  const connectionId = /con_\w+/.exec(line)?.[0] ?? ''

  await page.getByLabel('Good until').fill('2030-03-17')
  const filled = line.replace('"","","",""', '"Ada Lovelace","36","",""')
  await choose('offers.csv', [head, filled, filled.replace('con_', 'cre_'), filled].join('\r\n'))
  await page.getByText('1 line can be offered.').waitFor()
  await page.getByText('Line 3: connectionId is not the id of a connection').waitFor()
  await page.getByText('Line 4: It is the same as line 2.').waitFor()
  expect(await faultsOf(page)).toEqual([])
  // A second wallet that is none of this organisation's is refused, and stops no other.
  const stranger = `"con_2hxq5m8n1p4r7t0v3x6z9b2d5f","","Grace Hopper","41","",""`
  await choose('offers.csv', [head, filled, stranger].join('\r\n'))
  await page.getByRole('button', { name: 'Send 2 offers' }).click()

  await page.getByRole('heading', { level: 1, name: 'Many offers' }).waitFor()
  await expect
    .poll(() => page.getByRole('status').filter({ hasText: 'offered' }).innerText())
    .toBe('1 offered, 1 refused, 0 waiting, of 2.')
  await expect.poll(() => page.locator('.page-head .badge').innerText()).toBe('Finished')
  expect(await faultsOf(page)).toEqual([])
  await wallet.shows('* An offer: age: 36, name: Ada Lovelace')
  await page.getByLabel('Outcome').selectOption('Refused')
  await expect.poll(() => page.getByRole('table').getByRole('row').count()).toBe(2)
  const savingOutcomes = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as a table' }).click()
  expect(readFileSync(await (await savingOutcomes).path(), 'utf8')).toContain('connection_not_found')

  await page.getByLabel('Outcome').selectOption('Offered')
  await page.getByRole('table').getByRole('link').click()
  await page.getByRole('heading', { level: 1, name: 'Credential exchange' }).waitFor()
  expect(await page.getByRole('main').innerText()).toContain(connectionId)
  await page.goto(`${world.url}/console/offers`)
  await expect.poll(() => page.getByRole('cell', { name: 'Finished' }).count()).toBe(1)
  expect(await wallet.quit()).toBe(0)
  expect(complaints).toEqual([])
})

it('the same table that is sent again offers nothing twice', async () => {
  const { items } = await world.order('GET', '/v1/credentials')
  const [{ connectionId, attributes }] = items as [
    { connectionId: string; attributes: { expiresAt: string } },
  ]
  const { expiresAt } = attributes
  const row = `${connectionId},Ada Lovelace,36,${expiresAt}`
  await page.goto(`${world.url}/console/offers/new`)
  await choose('again.csv', `connectionId,name,age,expiresAt\n${row}\n`)
  await page.getByRole('button', { name: 'Send 1 offer' }).click()
  await page.getByText('1 offered, 0 refused, 0 waiting, of 1.').waitFor()
  expect(await world.order('GET', '/v1/credentials')).toMatchObject({ total: 1 })
})

it('a table of more than a thousand lines goes in several requests, and on where it was cut off', async () => {
  // Of no connection of this organisation, so that nothing is signed: every line is refused.
  const lines = Array.from({ length: 2_400 }, (_, index) => `con_2hxq5m8n1p4r7t0v3x6z9b2d5f,Ada ${index},36`)
  const table = ['connectionId,name,age', ...lines].join('\n')
  const bodies: string[] = []
  await page.route('**/v1/credentials/offers', async (route) => {
    bodies.push(route.request().postData() ?? '')
    if (bodies.length !== 2) return route.continue()
    // Taken, and nobody hears of it.
    await route.fetch()
    return route.abort()
  })
  onTestFinished(() => page.unroute('**/v1/credentials/offers'))
  await page.goto(`${world.url}/console/offers/new`)
  await page.getByLabel('Good until').fill('2030-03-17')
  await choose('harbour.csv', table)
  await page.getByRole('button', { name: 'Send 2,400 offers' }).click()
  await page.getByText('The request with the lines 1,002 to 2,001 was not taken').waitFor()
  await page.getByText('1,000 of 2,400 offers are handed over.').waitFor()
  expect(await faultsOf(page)).toEqual([])

  await page.reload()
  await page.getByText('harbour.csv was not sent to its end').waitFor()
  await choose('harbour.csv', table.replace('Ada 1,', 'Ada one,'))
  await page.getByText('What is chosen now is another table.').waitFor()
  await choose('harbour.csv', table)
  await page.getByRole('button', { name: 'Send the remaining 1,400 offers' }).click()
  await page.getByRole('heading', { name: 'All offers are handed over' }).waitFor()
  const requests = page.getByRole('table', { name: 'The requests of this table' })
  await expect.poll(() => requests.getByRole('cell', { name: 'Finished' }).count(), PATIENCE).toBe(3)
  expect(await faultsOf(page)).toEqual([])
  expect(await requests.getByRole('row').allInnerTexts()).toMatchObject([
    expect.stringContaining('Request'),
    expect.stringContaining('2,002–2,401'),
    expect.stringContaining('1,002–2,001'),
    expect.stringContaining('2–1,001'),
  ])
  for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(2 * 1024 * 1024)
  expect(bodies.map((body) => (JSON.parse(body) as { items: unknown[] }).items.length)).toEqual([
    1_000, 1_000, 1_000, 400,
  ])
  // The request whose answer was lost and its repetition are one.
  const jobs = (await world.order('GET', '/v1/credential-offer-jobs?pageSize=100'))['items']
  const totals = (jobs as readonly { readonly total: number }[]).map(({ total }) => total)
  expect(totals.filter((total) => total > 2)).toEqual([400, 1_000, 1_000])

  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download as a table' }).click()
  const outcomes = readFileSync(await (await saving).path(), 'utf8')
    .trim()
    .split('\r\n')
  expect(outcomes).toHaveLength(2_401)
  expect(outcomes.at(-1)).toMatch(/^"2400","coj_\w+","[\w-]{43}","","connection_not_found"/)
  await page.getByRole('button', { name: 'Another table' }).click()
  await page.getByLabel('Table as CSV').waitFor()
  expect(complaints).toEqual([])
}, 120_000)
