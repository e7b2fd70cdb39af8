import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Authenticator, ConsoleWorld, faultsOf, PASSWORD, PHONE } from './parts/console-world.ts'
import { typeCode, typePassword } from './parts/signing-in.ts'

const world = new ConsoleWorld()
beforeAll(() => world.start())
afterAll(() => world.stop())

let authenticator = new Authenticator('AAAA')
let recoveryCodes: readonly string[] = []

describe('an invitation', () => {
  it('leads over password, authenticator and recovery codes into the console, on a phone too', async () => {
    const { page, complaints } = await world.open(PHONE)
    await page.goto(world.invitation)
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Password').fill('short')
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toContain('at least 12 characters')
    // What was typed stays; only the password is typed again.
    expect(await page.getByLabel('Your name').inputValue()).toBe('Ada Lovelace')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.keyboard.press('Enter')

    const picture = page.getByRole('img', { name: 'QR code' })
    await picture.waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByText('The camera does not work?').click()
    authenticator = new Authenticator(await page.locator('.seed code').innerText())
    await page.getByLabel('Code that the app shows').fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code that the app shows').fill(await authenticator.next())
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { level: 1, name: 'recovery codes' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    recoveryCodes = await page.locator('.codes li').allInnerTexts()
    expect(recoveryCodes).toHaveLength(10)
    // Whoever has not kept them does not go on by accident.
    await page.getByRole('button', { name: 'To the console' }).click({ force: true })
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Keep your recovery codes')
    await page.getByLabel('I have kept the codes').check()
    await page.getByRole('button', { name: 'To the console' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(await page.locator('.top').innerText()).toContain(world.organisationName)
    expect(page.url()).not.toContain('#')
    expect(complaints).toEqual([])
  })

  it('that was taken up already says so', async () => {
    const { page } = await world.open()
    await page.goto(world.invitation)
    await page.getByLabel('Your name').fill('Eve')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/invitation/i)
  })

  it('whose link lost its end says what to do', async () => {
    const { page } = await world.open()
    await page.goto(`${world.url}/console/invitation`)
    await page.getByRole('heading', { name: 'This link is not whole' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.goto(world.invitation)
    await page.getByLabel('Your name').waitFor()
  })
})

describe('a reload while the recovery codes are shown', () => {
  it('says that the account is there, and leads to new codes', async () => {
    const body = { emailAddress: 'grace@example.org', role: 'viewer' }
    const { invitationLink } = await world.order('POST', '/v1/members', body)
    const { page, complaints } = await world.open(PHONE)
    await page.goto(String(invitationLink))
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('The camera does not work?').click()
    const ofGrace = new Authenticator(await page.locator('.seed code').innerText())
    await page.getByLabel('Code that the app shows').fill(await ofGrace.next())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'recovery codes' }).waitFor()
    const [before = ''] = await page.locator('.codes li').allInnerTexts()
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Your account is set up' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByRole('link', { name: 'To Your account' }).click()
    await page.getByRole('button', { name: 'Make new codes' }).click()
    await page.getByLabel('I have kept the codes').waitFor()
    const codes = await page.locator('.codes li').allInnerTexts()
    expect(codes).toHaveLength(10)
    expect(codes).not.toContain(before)
    expect(complaints).toEqual([])
  })
})

describe('somebody who signs in', () => {
  it('comes to the page that they wanted, and by the bare address to the overview', async () => {
    const { page, complaints } = await world.open()
    await page.goto(`${world.url}/console/members?q=ada`)
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await typePassword(page, world)
    await typeCode(page, authenticator)
    await page.getByRole('cell', { name: 'Ada Lovelace' }).waitFor()
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/console/members?q=ada')
    await page.goto(world.url)
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('is not led to another site by an address that somebody made up', async () => {
    for (const next of [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      'javascript:alert(1)',
    ]) {
      const { page } = await world.open()
      await page.goto(`${world.url}/console/sign-in?next=${encodeURIComponent(next)}`)
      await typePassword(page, world)
      await page.getByRole('button', { name: 'recovery code' }).click()
      const [code = '', ...others] = recoveryCodes
      recoveryCodes = others
      await page.getByLabel('Recovery code').fill(code)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
      expect(page.url()).toBe(`${world.url}/console/overview`)
    }
  })

  it('hears that the password is wrong, and types nothing else again', async () => {
    const { page } = await world.open()
    await page.goto(`${world.url}/console/sign-in`)
    await typePassword(page, world, { password: 'another good passphrase' })
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('developer@localhost')
    expect(await faultsOf(page)).toEqual([])
  })

  it('signs out, and then nothing is shown any more, with the way back neither', async () => {
    const { page } = await world.open()
    await page.goto(`${world.url}/console/audit`)
    await typePassword(page, world)
    await typeCode(page, authenticator)
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.context().cookies()).not.toContainEqual(
      expect.objectContaining({ name: '__Host-vouchsafe' }),
    )
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor()
    expect(await page.content()).not.toContain('Ada Lovelace')
  })
})
