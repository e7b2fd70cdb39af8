import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { goToPage, OPERATOR_PAGES } from './parts/pages.ts'

const world = new ConsoleWorld()
beforeAll(() => world.start())
afterAll(() => world.stop())

it('a viewer sees everything, is offered nothing to change, and is refused by the service besides', async () => {
  const invited = await world.order('POST', '/v1/members', {
    emailAddress: 'viewer@example.org',
    role: 'viewer',
  })
  const { page, complaints } = await world.open()
  await enrol(page, String(invited['invitationLink']), 'Vera Viewer')
  const pages = [
    'schemas',
    'definitions',
    'templates',
    'webhook',
    'biometric',
    'retention',
    'members',
    'wallets',
  ]
  for (const path of [...pages, 'overview', 'connections', 'credentials', 'offers', 'proofs', 'deliveries']) {
    await goToPage(page, world, path)
    const offered = page.locator('main .button.main, main .button.bad, main form')
    expect(await offered.count(), path).toBe(0)
  }
  await page.goto(`${world.url}/console/schemas/new`)
  await page.getByText('You may look at everything and change nothing.').waitFor()
  expect(await page.locator('main form').count()).toBe(0)
  expect(await faultsOf(page)).toEqual([])
  const forced = await page.evaluate<number>(
    `fetch('/v1/schemas', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"a","version":"1.0","attributes":["expiresAt"]}' }).then(({ status }) => status)`,
  )
  expect(forced).toBe(403)
  expect(complaints).toEqual([])
})

it('an operator acts for an organisation under its eyes: a banner, no polling, and an end', async () => {
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('ops'), 'Oskar Operator', 'Organisations')
  expect(await faultsOf(page)).toEqual([])
  expect(await page.locator('#side').getByRole('link', { name: 'Connections' }).count()).toBe(0)

  const name = world.organisationName
  await page.getByRole('searchbox').fill(name)
  await page.getByRole('button', { name: `Act for it ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: `Act for ${name}` })
  await dialog.getByLabel('Reason').fill('Ticket 4711')
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Act for it' }).click()
  const banner = page.getByRole('region', { name: `You act for ${name}` })
  await expect.poll(() => banner.innerText()).toContain('Ticket 4711')
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(await faultsOf(page)).toEqual([])

  await page.locator('#side').getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
  expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0)
  await banner.getByRole('button', { name: 'Stop acting' }).click()
  await page.getByRole('heading', { level: 1, name: 'Organisations' }).waitFor()
  await expect.poll(() => banner.count()).toBe(0)
  expect(complaints).toEqual([])
})

it('what an operator typed and made for one organisation is not shown while acting for another', async () => {
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('two'), 'Otto Operator', 'Organisations')
  const other = `Harbour Office ${randomUUID().slice(0, 8)}`
  await world.order('POST', '/v1/operator/tenants', { name: other })
  const actFor = async (name: string): Promise<void> => {
    await goToPage(page, world, `organisations?q=${encodeURIComponent(name)}`)
    await page.getByRole('button', { name: `Act for it ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: `Act for ${name}` })
    await dialog.getByLabel('Reason').fill('Ticket 4712')
    await dialog.getByLabel('Change things as well').check()
    await dialog.getByRole('button', { name: 'Act for it' }).click()
    await page.getByRole('region', { name: `You act for ${name}` }).waitFor()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  }
  const stop = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Stop acting' }).click()
    await page.getByRole('heading', { level: 1, name: 'Organisations' }).waitFor()
  }
  const code = page.getByRole('img', { name: 'QR code of the invitation' })
  await actFor(world.organisationName)
  await goToPage(page, world, 'connections/new')
  await page.getByLabel('External id').fill('guest-1046')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await code.waitFor()
  await goToPage(page, world, 'schemas/new')
  await page.getByLabel('Name', { exact: true }).fill('half a schema')
  await stop()

  await actFor(other)
  await goToPage(page, world, 'connections/new')
  expect(await page.getByLabel('External id').inputValue()).toBe('')
  expect(await code.count()).toBe(0)
  await goToPage(page, world, 'schemas/new')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
  await stop()

  await actFor(world.organisationName)
  await goToPage(page, world, 'connections/new')
  await code.waitFor()
  await goToPage(page, world, 'schemas/new')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('half a schema')
  expect(complaints).toEqual([])
})

it('an operator makes an organisation and invites its first administrator, who lets others in from then on', async () => {
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('first'), 'Orla Operator', 'Organisations')
  await page.getByRole('button', { name: 'New organisation' }).click()
  await page.getByLabel('Name').fill('Lighthouse Board')
  await page.getByRole('dialog').getByRole('button', { name: 'New organisation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Lighthouse Board' }).waitFor()

  const button = page.getByRole('button', { name: 'Invite the first administrator' })
  const dialog = page.getByRole('dialog', { name: 'Invite the first administrator of Lighthouse Board' })
  const address = dialog.getByLabel('E-mail address')
  await button.click()
  await dialog.locator('input:focus').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await address.fill('ada@lighthouse.example')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const shown = page.getByRole('dialog', { name: 'The link for the administrator' })
  const link = await shown.locator('.codes').innerText()
  expect(await shown.innerText()).toContain('ada@lighthouse.example')
  expect(await shown.getByRole('button', { name: 'Copy' }).count()).toBe(1)
  expect(await faultsOf(page)).toEqual([])
  await shown.getByRole('button', { name: 'Close' }).click()
  await page.locator('button:focus').filter({ hasText: 'Invite the first administrator' }).waitFor()

  const theirs = await world.open()
  await enrol(theirs.page, link, 'Ada Administrator')
  await theirs.page.locator('#side').getByRole('link', { name: 'Members' }).click()
  await theirs.page.getByRole('button', { name: 'Invite somebody' }).waitFor()
  await theirs.page.locator('#side').getByRole('link', { name: 'Audit log' }).click()
  await theirs.page.getByRole('row').filter({ hasText: 'inviteFirstAdministrator' }).waitFor()
  await expect.poll(() => theirs.page.locator('body').innerText()).toContain('Lighthouse Board')

  await button.click()
  await address.fill('eve@lighthouse.example')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await dialog.getByText('its administrators invite others').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  expect([...complaints, ...theirs.complaints]).toEqual([])
})

it('an operator makes an organisation and a key for it, suspends it and lets it in again', async () => {
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('keys'), 'Olga Operator', 'Organisations')
  await page.getByRole('button', { name: 'New organisation' }).click()
  await page.getByLabel('Name').fill('Pilot Station')
  await page.getByRole('dialog').getByRole('button', { name: 'New organisation' }).click()
  await page.getByRole('heading', { level: 1, name: 'Pilot Station' }).waitFor()
  const state = page.locator('.page-head .badge')
  expect(await faultsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Suspend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend it' }).click()
  await expect.poll(() => state.innerText()).toBe('Suspended')
  await page.getByRole('button', { name: 'End the suspension' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Let it in again' }).click()
  await expect.poll(() => state.innerText()).toBe('Active')

  await page.getByLabel('Requests in a minute, all keys').fill('600')
  await page.getByRole('button', { name: 'Save' }).first().click()
  await page.getByLabel('Most in a day').fill('7')
  await page.getByRole('button', { name: 'Save' }).last().click()
  await page.reload()
  await expect.poll(() => page.getByLabel('Requests in a minute, all keys').inputValue()).toBe('600')
  await expect.poll(() => page.getByLabel('Most in a day').inputValue()).toBe('7')

  await page.goto(`${world.url}/console/keys`)
  await page.getByRole('button', { name: 'New API key' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New API key' })
  await dialog.getByLabel('Organisation').selectOption('Pilot Station')
  await dialog.getByLabel('What it is for').fill('backend')
  await dialog.getByRole('button', { name: 'Make the key' }).click()
  const secret = page.getByRole('dialog', { name: 'The new API key' })
  expect(await secret.locator('.codes').innerText()).toMatch(/^svc_sk_/)
  await secret.getByLabel('I have kept it').check()
  await secret.getByRole('button', { name: 'Close' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Pilot Station' })
  await expect.poll(() => row.innerText()).toContain('backend')
  await row.getByRole('button', { name: 'Change backend' }).click()
  const rate = page.getByRole('dialog', { name: 'How fast backend may call' })
  await rate.getByLabel('Requests in a minute').fill('0')
  await rate.getByRole('button', { name: 'Save' }).click()
  await rate.getByText('ratePerMinute').waitFor()
  expect(await faultsOf(page)).toEqual([])
  await rate.getByLabel('Requests in a minute').fill('300')
  await rate.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => row.innerText()).toContain('300 a minute')
  await row.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke the key' }).click()
  await expect.poll(() => row.locator('.badge').innerText()).toBe('Revoked')

  for (const path of [...OPERATOR_PAGES, 'account']) {
    await goToPage(page, world, path)
    expect(await faultsOf(page), path).toEqual([])
  }
  expect(complaints).toEqual([])
})
