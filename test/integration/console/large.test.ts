import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { idOf, ordering, publish } from './parts/furnished.ts'
import { goToPage } from './parts/pages.ts'

const PATIENCE = { timeout: 60_000 }
/** One more than a page of a list has. */
const MANY = 101

const world = new ConsoleWorld()
beforeAll(() => world.start())
afterAll(() => world.stop())

const entered = async (link: string, name: string, arrivesAt: string) => {
  const opened = await world.open()
  await enrol(opened.page, link, name, arrivesAt)
  return opened
}
const choices = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).locator('option').allInnerTexts()

it('who has a hundred newer schemas, definitions and templates offers and asks for the oldest', async () => {
  const order = ordering(world)
  await world.order('PUT', `/v1/operator/ledger-ceilings/${world.organisation}`, { writesPerDay: 1_000 })
  const { definitionId, templateId } = await publish(order)
  const template = (await order('GET', `/v1/proof-templates/${templateId}`)) as { readonly groups: object[] }
  const publishedAll = async () =>
    (await order('GET', '/v1/schemas?status=published&pageSize=25'))['total'] as number
  for (let number = 1; number <= MANY; number += 1) {
    await order('POST', '/v1/schemas', { name: `later ${number}`, version: '1.0', attributes: ['expiresAt'] })
    await order('POST', '/v1/proof-templates', { name: `Later ${number}`, groups: template.groups })
  }
  await expect.poll(publishedAll, PATIENCE).toBe(MANY + 1)

  const { page, complaints } = await entered(world.invitation, 'Ada Lovelace', 'Overview')
  await goToPage(page, world, 'credentials/new')
  await page.getByLabel('age', { exact: true }).waitFor()
  await goToPage(page, world, 'definitions/new')
  await expect.poll(() => choices(page, 'Schema')).toContain('membership 1.0')
  await goToPage(page, world, 'proofs/new')
  await expect.poll(() => choices(page, 'Template')).toContain('Entry')
  await page.getByLabel('Template', { exact: true }).selectOption('Entry')
  await page.getByText('age is at least 18').waitFor()
  // Archived ones are no choice, however new they are.
  const later = (await order('GET', '/v1/proof-templates?q=later&pageSize=100'))['items'] as { id: string }[]
  for (const { id } of later) await order('POST', `/v1/proof-templates/${id}/archive`)
  await goToPage(page, world, 'proofs/new')
  await expect.poll(() => choices(page, 'Template')).toContain('Entry')
  await goToPage(page, world, `templates/${templateId}`)
  await expect.poll(() => page.getByLabel('age', { exact: true }).isVisible()).toBe(true)
  expect(definitionId).toMatch(/^def_/)
  expect(complaints).toEqual([])
}, 300_000)

it('an operator with more than a hundred organisations finds the one that a key is for', async () => {
  const first = idOf(await world.order('POST', '/v1/operator/tenants', { name: 'Lighthouse Board' }))
  for (let number = 1; number <= MANY; number += 1)
    await world.order('POST', '/v1/operator/tenants', { name: `Ferry Company ${number}` })
  const { page, complaints } = await entered(
    await world.inviteOperator('ops'),
    'Oskar Operator',
    'Organisations',
  )
  await goToPage(page, world, 'keys')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Search: Organisation').waitFor()
  expect(await choices(page, 'Organisation')).not.toContain('Lighthouse Board')
  // A key is for nobody until somebody says for whom.
  expect(await dialog.getByLabel('Organisation', { exact: true }).inputValue()).toBe('')
  await dialog.getByLabel('Search: Organisation').fill('lighthouse')
  await expect
    .poll(() => choices(page, 'Organisation'))
    .toEqual(['Choose an organisation', 'Lighthouse Board'])
  await dialog.getByLabel('Organisation', { exact: true }).selectOption('Lighthouse Board')
  // The choice outlives the search that found it.
  await dialog.getByLabel('Search: Organisation').fill('')
  await expect.poll(async () => (await choices(page, 'Organisation')).length).toBeGreaterThan(100)
  expect(await dialog.getByLabel('Organisation', { exact: true }).inputValue()).toBe(first)
  expect(await choices(page, 'Organisation')).toContain('Lighthouse Board')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('What it is for').fill('lighthouse backend')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  await page.getByRole('dialog', { name: 'The new API key' }).waitFor()
  expect(await world.order('GET', `/v1/operator/api-keys?tenantId=${first}`)).toMatchObject({ total: 1 })
  expect(complaints).toEqual([])
}, 300_000)
