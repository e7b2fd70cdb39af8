import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ConsoleWorld, enrol } from './parts/console-world.ts'
import { ordering, publish } from './parts/furnished.ts'
import { goToPage, OPERATOR_PAGES } from './parts/pages.ts'

const world = new ConsoleWorld()
let page: Page
let ids: Awaited<ReturnType<typeof publish>>
beforeAll(async () => {
  await world.start()
  const order = ordering(world)
  ids = await publish(order)
  await order('POST', '/v1/wallets', { externalId: 'app-7' })
  await order('POST', '/v1/members', { emailAddress: 'grace@example.org', role: 'viewer' })
  ;({ page } = await world.open())
  await enrol(page, world.invitation)
}, 120_000)
afterAll(() => world.stop())

const shown = (path: string): Promise<void> => goToPage(page, world, path)

/** Numbers what can be used, in the order in which it stands; of radio buttons with one name one is enough. */
const NUMBERED = `(() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const usable = [...all].filter((each) => !each.disabled && each.checkVisibility({ visibilityProperty: true }) && each.type !== 'radio')
  usable.forEach((each, index) => { each.dataset.turn = String(index) })
  return usable.length
})()`

/** Whose turn it is, and whether it can be seen. */
const TURN = `(() => {
  const at = document.activeElement
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
  const isSeen = (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
  return { turn: at.dataset.turn ?? null, isSeen, text: at.outerHTML.slice(0, 120) }
})()`

type Turn = { readonly turn: string | null; readonly isSeen: boolean; readonly text: string }

/** Whoever presses Tab again and again comes to everything once, and sees where they are. */
const expectTurns = async (at: Page, path: string): Promise<void> => {
  await goToPage(at, world, path)
  await at.evaluate('document.activeElement.blur(); scrollTo(0, 0)')
  const amount = await at.evaluate<number>(NUMBERED)
  expect(amount, path).toBeGreaterThan(10)
  const turns: string[] = []
  for (let step = 0; step < amount + 12 && turns.length < amount; step += 1) {
    await at.keyboard.press('Tab')
    const { turn, isSeen, text } = await at.evaluate<Turn>(TURN)
    if (turn === null) continue
    // A field for a day has several places; the ones inside show themselves.
    if (turns.includes(turn)) continue
    expect(isSeen, `${path}: ${text}`).toBe(true)
    turns.push(turn)
  }
  expect(turns.length, path).toBe(amount)
  // A field that had the focus when the page came is where the round began.
  const first = turns.indexOf('0')
  const inOrder = [...turns.slice(first), ...turns.slice(0, first)].map(Number)
  expect(inOrder, path).toEqual([...inOrder.keys()])
}

describe('with the keyboard alone', () => {
  it('everything that can be used is come to, in the order in which it stands, and is seen then', async () => {
    const { schemaId, definitionId, templateId } = ids
    const pages = [
      'overview',
      'connections',
      'connections/new',
      'credentials',
      'offers/new',
      'wallets',
      'schemas/new',
      `schemas/${schemaId}`,
      'definitions/new',
      `definitions/${definitionId}`,
      'templates/new',
      `templates/${templateId}`,
      'webhook',
      'biometric',
      'retention',
      'members',
      'audit',
      'account',
    ]
    for (const path of pages) await expectTurns(page, path)
  }, 180_000)

  it('so it is on the pages of operators', async () => {
    const { page: operator } = await world.open()
    await enrol(operator, await world.inviteOperator('keys'), 'Olga Operator', 'Organisations')
    for (const path of [...OPERATOR_PAGES, `organisations/${world.organisation}`])
      await expectTurns(operator, path)
    await operator.context().close()
  }, 180_000)

  it('a dialog takes the focus, keeps it, and gives it back', async () => {
    await shown('members')
    const open = page.getByRole('button', { name: 'Invite somebody' })
    await open.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' })
    await dialog.waitFor()
    const isInside =
      "document.activeElement.closest('dialog') !== null || document.activeElement === document.body"
    for (let step = 0; step < 12; step += 1) {
      expect(await page.evaluate(isInside)).toBe(true)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await expect.poll(() => dialog.count()).toBe(0)
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Invite somebody')
  })

  it('a schema is written, published and made a definition of', async () => {
    await shown('schemas')
    await page.getByRole('link', { name: 'New schema' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'New schema' }).waitFor()
    // The page takes the focus itself first.
    const at = () => page.evaluate<string>('document.activeElement.tagName')
    await expect.poll(at).toMatch(/^(?:H1|INPUT)$/)
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.type('berth')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.evaluate("document.activeElement.closest('.field')?.innerText")).toContain(
      'Attribute 1',
    )
    await page.keyboard.type('name')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'berth 1.0' }).waitFor()
    await page.getByRole('link', { name: 'Make a definition' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'New credential definition' }).waitFor()
    await page.getByLabel('Tag').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'berth 1.0 · default' }).waitFor()
  })
})

describe('what is typed', () => {
  /** A field of each form, by the page that it stands on; a dialog is opened first. */
  it.each([
    ['schemas/new', null, 'Name'],
    ['definitions/new', null, 'Tag'],
    ['templates/new', null, 'Name'],
    ['connections/new', null, 'External id'],
    ['credentials/new', null, 'External id'],
    ['proofs/new', null, 'External id'],
    ['webhook', null, 'Address'],
    ['retention', null, 'Days'],
    ['members', 'Invite somebody', 'E-mail address'],
    ['account', null, 'Name of a new passkey'],
  ] as const)('is there after a reload: %s', async (path, button, label) => {
    const text = label === 'Days' ? '77' : label === 'Address' ? 'https://half.example/' : 'half-typed'
    const open = async (): Promise<void> => {
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      if (button !== null) await page.getByRole('button', { name: button }).first().click()
    }
    await shown(path)
    await open()
    const field = page.getByLabel(label, { exact: label === 'Name' }).first()
    await field.fill(text)
    await page.reload()
    await open()
    await expect
      .poll(() =>
        page
          .getByLabel(label, { exact: label === 'Name' })
          .first()
          .inputValue(),
      )
      .toBe(text)
  })
})
