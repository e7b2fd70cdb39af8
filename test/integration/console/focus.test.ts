import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { ordering, publish } from './parts/furnished.ts'
import { goToPage } from './parts/pages.ts'

const world = new ConsoleWorld()
let page: Page
let schemaId = ''
beforeAll(async () => {
  await world.start()
  const order = ordering(world)
  ;({ schemaId } = await publish(order))
  for (const name of ['alan', 'grace', 'hedy', 'joan'])
    await order('POST', '/v1/members', { emailAddress: `${name}@example.org`, role: 'viewer' })
  for (let number = 1; number <= 30; number += 1)
    await order('POST', '/v1/wallets', { externalId: `app-${number}` })
  ;({ page } = await world.open())
  await enrol(page, world.invitation)
}, 120_000)
afterAll(() => world.stop())

type At = { readonly tag: string; readonly text: string; readonly isSeen: boolean }

/** What has the focus, and whether somebody sees that. */
const AT = `(() => {
  const at = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(at)
  return { tag: at.tagName, text: at.innerText, isSeen: outlineStyle !== 'none' && outlineWidth !== '0px' }
})()`

const at = (): Promise<At> => page.evaluate<At>(AT)

/** With the keyboard alone: the button, and what then says what it does. */
const pressed = async (row: string, button: string, go: string): Promise<void> => {
  await page.getByRole('row').filter({ hasText: row }).getByRole('button', { name: button }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: go, exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
}

const removed = async (name: string): Promise<void> => {
  await pressed(name, 'Remove', 'Remove the person')
  await expect.poll(() => page.getByRole('row').filter({ hasText: name }).count()).toBe(0)
}

describe('what has the focus and goes, gives it', () => {
  it('to the next row, when the row of a record leaves its list, and where there is none to the one before', async () => {
    await goToPage(page, world, 'members')
    await removed('hedy@example.org')
    expect(await at()).toMatchObject({ tag: 'TR', isSeen: true })
    expect((await at()).text).toContain('grace@example.org')
    expect(await faultsOf(page)).toEqual([])
    // From there it goes on to what can be done with that one.
    await page.keyboard.press('Tab')
    expect(await at()).toMatchObject({ tag: 'BUTTON', text: 'Make administrator' })

    await page.goto(`${world.url}/console/members?q=example.org`)
    await page.getByRole('row').filter({ hasText: 'alan@' }).waitFor()
    await removed('alan@example.org')
    expect((await at()).text).toContain('grace@example.org')
  })

  it('to the heading, when nothing is left', async () => {
    await goToPage(page, world, 'members?q=joan')
    await removed('joan@example.org')
    await page.getByText('No record fits all of these filters.').waitFor()
    expect(await at()).toMatchObject({ tag: 'H1', text: 'Members' })
  })

  it('to its own row, when the record stays and the button goes', async () => {
    await goToPage(page, world, 'wallets')
    await pressed('app-29', 'Revoke', 'Revoke the wallet')
    const row = page.getByRole('row').filter({ hasText: 'app-29' })
    await expect.poll(() => row.locator('.badge').innerText()).toBe('Revoked')
    await expect.poll(at).toMatchObject({ tag: 'TR', isSeen: true })
    expect((await at()).text).toContain('app-29')
  })

  it('to the heading, when it was a button of the whole page', async () => {
    await goToPage(page, world, `schemas/${schemaId}`)
    await page.getByRole('button', { name: 'Deprecate' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Deprecate it' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('.page-head .badge').innerText()).toBe('Deprecated')
    await expect.poll(at).toMatchObject({ tag: 'H1', text: 'membership 1.0' })
  })

  it('to nobody, when it has only become a way that leads nowhere', async () => {
    await goToPage(page, world, 'wallets')
    await page.getByRole('link', { name: 'Next' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/wallets?page=2')
    await expect.poll(() => page.locator('.pager .total').innerText()).toBe('26–30 of 30')
    expect(await at()).toMatchObject({ tag: 'A', text: 'Next' })
    expect(await faultsOf(page)).toEqual([])
  })

  it('to nothing, when somebody had put it away before', async () => {
    await goToPage(page, world, 'wallets')
    await page.getByRole('row').filter({ hasText: 'app-28' }).getByRole('button', { name: 'Revoke' }).focus()
    await page.locator('#side .brand').click()
    expect(await at()).toMatchObject({ tag: 'BODY' })
    await page.evaluate("document.querySelector('.pager nav a[href]').click()")
    await expect.poll(() => page.getByRole('row').filter({ hasText: 'app-28' }).count()).toBe(0)
    expect(await at()).toMatchObject({ tag: 'BODY' })
  })
})
