import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { parkingOf } from '../../../src/actors/parked-record/parking.ts'
import { shardOfActor } from '../../../src/domain/references.ts'
import { startBrowser } from '../../browser/start-browser.ts'
import { openOn, takeKeyAway } from '../../compose/parked-world.ts'
import { ServiceProcess } from '../../service-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { type Json, orderAt } from './parts/console-place.ts'
import { DESK, enrol, faultsOf } from './parts/console-world.ts'
import { goToPage } from './parts/pages.ts'

const ORGANISATION = 'ten_00development'
const BROKEN = 'con_2fbroken00'

const data = join(temporaryFolder('console-parked'), 'data')
const order = (method: string, path: string, body?: object): Promise<Json> =>
  orderAt(data, { method, path, body, organisation: ORGANISATION })
const start = async (): Promise<{ readonly service: ServiceProcess; readonly url: string }> => {
  const service = new ServiceProcess({ VOUCHSAFE_DATA_FOLDER: data })
  started.push(service)
  const { url } = await service.untilListening()
  return { service, url }
}

const started: ServiceProcess[] = []
let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await startBrowser()
  page = await (await browser.newContext(DESK)).newPage()
})
afterAll(async () => {
  await browser.close()
  await started.at(-1)?.stop()
})

/** As a service does that cannot read the record, while no service runs. */
const park = async (recordId: string): Promise<void> => {
  const { actors, runtime, stop } = await openOn(data, false)
  const parking = parkingOf({ actors, runtime }, { parked: ignored, full: ignored, leftOut: ignored })
  await parking.park(shardOfActor(recordId), { part: 'lists', recordId, error: new RangeError() })
  await stop()
}
const ignored = (): void => undefined

it('an operator sees what cannot be read, and tries it again when its cause is mended', async () => {
  const first = await start()
  const member = { emailAddress: 'grace@example.org', role: 'viewer' }
  const id = String((await order('POST', '/v1/members', member))['id'])
  const operator = await order('POST', '/v1/operator/operators', { emailAddress: 'ops@example.org' })
  await enrol(page, String(operator['invitationLink']), 'Oskar Operator', 'Organisations')
  await goToPage(page, first, 'parked')
  await page.getByRole('heading', { name: 'Nothing is parked' }).waitFor()
  await first.service.stop()

  await park(id)
  const second = await start()
  await goToPage(page, second, 'parked')
  const row = page.getByRole('row').filter({ hasText: id })
  expect(await row.innerText()).toContain('the lists')
  expect(await row.innerText()).toContain('RangeError')
  expect(await faultsOf(page)).toEqual([])
  await row.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`${id} can be read again.`).waitFor({ timeout: 60_000 })
  await page.getByRole('heading', { name: 'Nothing is parked' }).waitFor({ timeout: 60_000 })
  expect(await order('GET', '/v1/operator/parked')).toMatchObject({ total: 0 })
  expect(await order('GET', '/v1/members?q=grace')).toMatchObject({ items: [{ id, ...member }] })
  await second.service.stop()
}, 240_000)

it('a retry that fails again says so, and what it failed with', async () => {
  const before = await openOn(data, false)
  await before.connect(BROKEN, ORGANISATION)
  await before.stop()
  const putBack = takeKeyAway(data, BROKEN)
  const broken = await start()
  await goToPage(page, broken, 'parked')
  const row = page.getByRole('row').filter({ hasText: BROKEN }).filter({ hasText: 'the lists' })
  await row.waitFor({ timeout: 60_000 })
  await row.getByRole('button', { name: 'Try again' }).click()
  const said = page.getByRole('alert').filter({ hasText: `${BROKEN} cannot be read still` })
  await said.waitFor({ timeout: 60_000 })
  expect(await said.innerText()).toContain('KeyUnknown')
  expect(await faultsOf(page)).toEqual([])
  await broken.service.stop()

  putBack()
  const mended = await start()
  await goToPage(page, mended, 'parked')
  await row.getByRole('button', { name: 'Try again' }).click()
  await page.getByText(`${BROKEN} can be read again.`).waitFor({ timeout: 60_000 })
}, 240_000)
