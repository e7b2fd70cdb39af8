import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { confirmIn } from './parts/confirmed.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'

const world = new ConsoleWorld()
let page: Page
let complaints: string[]
beforeAll(async () => {
  await world.start()
  ;({ page, complaints } = await world.open())
  await enrol(page, world.invitation)
})
afterAll(() => world.stop())

const rowOf = (name: string) => page.getByRole('row').filter({ hasText: name })

/** What cannot be undone, or gives much away, is said first. */
const confirm = (title: string, go: string): Promise<void> => confirmIn(page, title, go)

it('a member becomes an administrator, a viewer again and nobody, each from the next request on', async () => {
  const order = { emailAddress: 'grace@example.org', role: 'viewer' }
  const { invitationLink } = await world.order('POST', '/v1/members', order)
  const theirs = await world.open()
  await enrol(theirs.page, String(invitationLink), 'Grace Hopper')
  const theirMembers = async (): Promise<void> => {
    await theirs.page.goto(`${world.url}/console/members`)
    await theirs.page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
  }
  const theirInvite = theirs.page.getByRole('button', { name: 'Invite somebody' })

  await page.goto(`${world.url}/console/members`)
  await rowOf('Grace Hopper').getByRole('button', { name: 'Make administrator' }).click()
  await confirm('Make Grace Hopper an administrator?', 'Make administrator')
  await expect.poll(() => rowOf('Grace Hopper').innerText()).toContain('Administrator')
  await theirMembers()
  expect(await theirInvite.count()).toBe(1)

  await rowOf('Grace Hopper').getByRole('button', { name: 'Make viewer' }).click()
  await confirm('Make Grace Hopper a viewer?', 'Make viewer')
  await expect.poll(() => rowOf('Grace Hopper').innerText()).toContain('Viewer')
  await theirMembers()
  expect(await theirInvite.count()).toBe(0)

  await rowOf('Grace Hopper').getByRole('button', { name: 'Remove' }).click()
  await confirm('Remove this person?', 'Remove the person')
  await expect.poll(() => rowOf('Grace Hopper').count()).toBe(0)
  await theirs.page.goto(`${world.url}/console/members`)
  await theirs.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await page.goto(`${world.url}/console/audit?q=removeMember`)
  await rowOf('removeMember').waitFor()
  expect([...complaints, ...theirs.complaints]).toEqual([])
  await theirs.page.context().close()
})

it('the last administrator is not removed, and hears why', async () => {
  await page.goto(`${world.url}/console/members`)
  await rowOf('Ada Lovelace').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove this person?' })
  await dialog.getByRole('button', { name: 'Remove the person' }).click()
  await expect.poll(() => dialog.getByRole('alert').innerText()).toMatch(/administrator/i)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect(await rowOf('Ada Lovelace').count()).toBe(1)
  // Whoever asks again begins anew.
  await rowOf('Ada Lovelace').getByRole('button', { name: 'Remove' }).click()
  await dialog.waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

it('an operator lets another one in, and takes the account away again', async () => {
  const ours = await world.open()
  await enrol(ours.page, await world.inviteOperator('first'), 'Olga Operator', 'Organisations')
  await ours.page.locator('#side').getByRole('link', { name: 'Operators', exact: true }).click()
  await ours.page.getByRole('button', { name: 'Invite an operator' }).click()
  const dialog = ours.page.getByRole('dialog', { name: 'Invite an operator' })
  const address = `orla-${Date.now()}@example.org`
  await dialog.getByLabel('E-mail address').fill(address)
  expect(await faultsOf(ours.page)).toEqual([])
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const shown = ours.page.getByRole('dialog', { name: 'The link for your colleague' })
  const link = await shown.locator('.codes').innerText()
  expect(await faultsOf(ours.page)).toEqual([])
  await shown.getByRole('button', { name: 'Close' }).click()

  const theirs = await world.open()
  await enrol(theirs.page, link, 'Orla Operator', 'Organisations')
  await ours.page.getByRole('searchbox').fill(address)
  const row = ours.page.getByRole('row').filter({ hasText: 'Orla Operator' })
  await row.getByRole('button', { name: 'Remove' }).click()
  const removal = ours.page.getByRole('dialog', { name: 'Remove this person?' })
  await removal.getByRole('button', { name: 'Remove the person' }).click()
  await ours.page.getByRole('heading', { name: 'Nothing fits' }).waitFor()
  await theirs.page.goto(`${world.url}/console/organisations`)
  await theirs.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect([...ours.complaints, ...theirs.complaints]).toEqual([])
  await theirs.page.context().close()
  await ours.page.context().close()
})

it('somebody signs out everywhere, here too', async () => {
  const order = { emailAddress: 'joan@example.org', role: 'viewer' }
  const { invitationLink } = await world.order('POST', '/v1/members', order)
  const { page: joan } = await world.open()
  await enrol(joan, String(invitationLink), 'Joan Clarke')
  const { page: elsewhere } = await world.open()
  await elsewhere.context().addCookies(await joan.context().cookies())
  await elsewhere.goto(`${world.url}/console/members`)
  await elsewhere.getByRole('cell', { name: 'Joan Clarke' }).waitFor()
  await joan.getByRole('link', { name: 'Your account' }).click()
  await joan.getByRole('button', { name: 'Sign out everywhere' }).click()
  await joan.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
  expect(await elsewhere.content()).not.toContain('Joan Clarke')
  await joan.context().close()
  await elsewhere.context().close()
})
