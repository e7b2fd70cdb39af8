import { afterAll, beforeAll, expect, it } from 'vitest'
import { against } from '../../e2e/against.ts'
import { worldWithAgreement } from './parts/agreement-world.ts'
import { enrol, faultsOf } from './parts/console-world.ts'
import { idOf } from './parts/furnished.ts'
import { goToPage } from './parts/pages.ts'

const PATIENCE = { timeout: 60_000 }
const TEXT = 'Every author declares that <img src="/x" onerror="document.title = \'ran\'"> holds.'

let opened: Awaited<ReturnType<typeof worldWithAgreement>>
beforeAll(async () => {
  if (against === null) opened = await worldWithAgreement(TEXT)
})
afterAll(async () => {
  if (against === null) await opened.stop()
})

it('an operator reads the agreement of the ledger and accepts it; then organisations are written to the ledger', async () => {
  // The cluster of the proxy stands on a ledger that other tests write to.
  if (against !== null) return
  const { world } = opened
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('ops'), 'Oskar Operator', 'Organisations')
  const id = idOf(await world.order('POST', '/v1/operator/tenants', { name: 'Harbour Office' }))
  await goToPage(page, world, 'agreement')
  await page.getByText(TEXT).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('How it is accepted').selectOption('for_session')
  await page.getByText('By a click.').waitFor()
  await page.getByRole('button', { name: 'Accept the agreement' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('for_session')
  expect(await world.order('GET', '/v1/operator/ledger-agreement')).toMatchObject({
    status: 'accepted',
    version: '2.0',
    acceptedMechanism: 'for_session',
  })
  expect(await faultsOf(page)).toEqual([])
  await expect
    .poll(async () => (await world.order('GET', `/v1/operator/tenants/${id}`))['registered'], PATIENCE)
    .toBe(true)
  expect([await page.title(), complaints]).toEqual([expect.stringContaining('Ledger agreement'), []])
})
