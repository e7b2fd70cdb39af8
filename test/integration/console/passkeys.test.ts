import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { against } from '../../e2e/against.ts'
import { Authenticator, ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { typeCode, typePassword, wantsFreshCode } from './parts/signing-in.ts'

/** Passkeys are bound to a host name, and an address is none. */
let world: ConsoleWorld
beforeAll(async () => {
  const port = String(await reservePorts(1))
  world = new ConsoleWorld({ PORT: port, VOUCHSAFE_PUBLIC_URL: `http://localhost:${port}` })
  await world.start()
})
afterAll(() => world.stop())

it('a passkey is added, signs its owner in and is shown in place of a fresh code, and signs in no more once it is removed', async () => {
  const { page, complaints } = await world.open()
  const devices = await page.context().newCDPSession(page)
  await devices.send('WebAuthn.enable')
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', hasUserVerification: true, isUserVerified: true },
  })
  await enrol(page, world.invitation)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByLabel('Name of a new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const passkey = page.getByRole('listitem').filter({ hasText: 'Laptop' })
  await passkey.waitFor()
  expect(await faultsOf(page)).toEqual([])

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await typePassword(page, world)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()

  // Where a fresh code is wanted, too.
  await page.goto(`${world.url}/console/members`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail address').fill('alan@example.org')
  await wantsFreshCode(page, '/v1/members')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await stepUp.getByRole('button', { name: 'Use a passkey' }).click()
  const link = page.getByRole('dialog', { name: 'The link for your colleague' })
  await link.getByRole('button', { name: 'Close' }).click()

  await page.getByRole('link', { name: 'Your account' }).click()
  await passkey.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove it' }).click()
  await expect.poll(() => passkey.count()).toBe(0)
  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await typePassword(page, world)
  await page.getByLabel('Code of your authenticator').waitFor()
  expect(await page.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0)
  expect(complaints).toEqual([])
})

it('a new password ends other sessions, and new recovery codes take the place of the old ones', async () => {
  const invited = await world.order('POST', '/v1/members', {
    emailAddress: 'grace@example.org',
    role: 'admin',
  })
  const { page } = await world.open()
  await enrol(page, String(invited['invitationLink']), 'Grace Hopper')
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByLabel('Password until now').fill('not the password at all')
  await page.getByLabel('New password').fill('the tide comes in at noon')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Password until now').fill('a walk along the river at dawn')
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByText('The password is changed.').waitFor()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  const codes = page.getByRole('dialog', { name: 'Keep your recovery codes' })
  await expect.poll(() => codes.locator('.codes li').count()).toBe(10)
  expect(await faultsOf(page)).toEqual([])
  await codes.getByLabel('I have kept the codes').check()
  await codes.getByRole('button', { name: 'Close' }).click()
  await expect.poll(() => codes.count()).toBe(0)
})

it('another authenticator takes the place of the one until now with its first code', async () => {
  const invited = await world.order('POST', '/v1/members', {
    emailAddress: 'joan@example.org',
    role: 'admin',
  })
  const { page, complaints } = await world.open()
  await enrol(page, String(invited['invitationLink']), 'Joan Clarke')
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Use another authenticator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Use another authenticator' })
  await dialog.getByText('The camera does not work?').click()
  const another = new Authenticator(await dialog.locator('.seed code').innerText())
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByLabel('Code that the app shows').fill('000000')
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Code that the app shows').fill(await another.next())
  await page.keyboard.press('Enter')
  await page.getByText('The authenticator is exchanged').waitFor()

  await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  await typePassword(page, world, { emailAddress: 'joan@example.org' })
  await typeCode(page, another)
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
  expect(complaints).toEqual([])
})

it('where the address of the console is a number, the page says what passkeys need', async () => {
  // The proxy of the cluster has a name.
  if (against !== null) return
  const numbered = new ConsoleWorld()
  await numbered.start()
  onTestFinished(() => numbered.stop())
  const { page, complaints } = await numbered.open()
  await enrol(page, numbered.invitation)
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByLabel('Name of a new passkey').fill('Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('here it has a number').waitFor()
  expect(await page.getByLabel('Name of a new passkey').inputValue()).toBe('Laptop')
  expect(await faultsOf(page)).toEqual([])
  expect(complaints).toEqual([])
})
