import type { BrowserContextOptions, Page } from 'playwright-core'
import {
  Authenticator,
  type ConsoleWorld,
  DEVELOPER,
  enrol,
  PASSWORD,
} from '../../../test/integration/console/parts/console-world.ts'
import { type Furnished, ordering } from '../../../test/integration/console/parts/furnished.ts'
import { untilThere } from '../../../test/integration/console/parts/fresh-code.ts'
import type { Camera } from './camera.ts'
import type { Look } from './looks.ts'
import { memberPages, operatorPages, recordPages, type ShownPage } from './shown-pages.ts'

/** Somebody who is signed in, with the authenticator that a tour of some minutes is asked for again. */
export type Person = {
  readonly state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
  readonly authenticator: Authenticator
}

/** Which look is taken, and by whom. */
export type Sight = {
  readonly camera: Camera
  readonly look: Look
  readonly options: BrowserContextOptions
}

export type Tour = Sight & { readonly world: ConsoleWorld }

/** From the link of an invitation to a person who is in. */
export const enrolled = async (
  world: ConsoleWorld,
  link: string,
  name?: string,
  arrivesAt?: string,
): Promise<Person> => {
  const { page } = await world.open()
  const authenticator = await enrol(page, link, name, arrivesAt)
  const state = await page.context().storageState()
  await page.context().close()
  return { state, authenticator }
}

/** Addresses one after the other, as somebody sees them who is signed in. */
export const takePages = async (
  { world, camera, options }: Tour,
  { state: storageState }: Pick<Person, 'state'>,
  pages: readonly ShownPage[],
): Promise<void> => {
  const { page } = await world.open({ ...options, storageState })
  for (const [name, address] of pages) {
    await goTo(page, `${world.url}/console/${address}`)
    await camera.take(page, name)
  }
  await page.context().close()
}

export const enrolledOperator = async (world: ConsoleWorld): Promise<Person> =>
  enrolled(world, await world.inviteOperator('ops'), 'Oskar Operator', 'Organisations')

export const goTo = async (page: Page, address: string): Promise<void> => {
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

export const takeMember = async (tour: Tour, person: Person, { records }: Furnished): Promise<void> => {
  const named = records.map((address): ShownPage => {
    const [list = ''] = address.split('/')
    return [recordPages[list as keyof typeof recordPages], address]
  })
  const missing: readonly ShownPage[] = [
    ['not-found', 'nowhere'],
    ['no-such-record', 'connections/con_that_is_not_there'],
  ]
  await takePages(tour, person, [...memberPages, ...named, ...missing])
}

export const takeOperator = async (tour: Tour, person: Person, organisation: string): Promise<void> => {
  const record: ShownPage = [recordPages.organisations, `organisations/${organisation}`]
  await takePages(tour, person, [...operatorPages, record])
  const { world, camera, options } = tour
  const { page } = await world.open({ ...options, storageState: person.state })
  await goTo(page, `${world.url}/console/keys`)
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByRole('dialog').waitFor()
  await camera.take(page, 'dialog-new-key', 'window')
  await goTo(page, `${world.url}/console/organisations`)
  await page.getByRole('button', { name: 'Act for it Development' }).click()
  await page.getByLabel('Reason').fill('Ticket 4711: a delivery that did not arrive')
  await camera.take(page, 'dialog-act', 'window')
  await page.getByRole('dialog').getByRole('button', { name: 'Act for it' }).click()
  const overview = page.getByRole('heading', { level: 1, name: 'Overview' })
  await untilThere(page, person.authenticator, overview)
  await camera.take(page, 'acting')
  await page.getByRole('button', { name: 'Stop acting' }).click()
  await page.getByRole('heading', { level: 1, name: 'Organisations' }).waitFor()
  await page.context().close()
}

/** The way in, from the outside. */
export const takeDoors = async ({ world, camera, look, options }: Tour, name: string): Promise<void> => {
  const { page } = await world.open(options)
  await goTo(page, `${world.url}/console/sign-in`)
  await camera.take(page, 'sign-in')
  await page.getByLabel('Organisation').fill(world.organisation)
  await page.getByLabel('E-mail address').fill(DEVELOPER)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Code of your authenticator').waitFor()
  await camera.take(page, 'sign-in-code')
  await goTo(page, `${world.url}/console/invitation`)
  await camera.take(page, 'invitation-cut-off')
  const order = ordering(world)
  const body = { emailAddress: `${look}@example.org`, role: 'admin' }
  const { invitationLink } = await order('POST', '/v1/members', body)
  await goTo(page, String(invitationLink))
  await page.getByLabel('Your name').fill(name)
  await camera.take(page, 'invitation-password')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The camera does not work?').click()
  await camera.take(page, 'invitation-authenticator')
  const authenticator = new Authenticator(await page.locator('.seed code').innerText())
  await page.getByLabel('Code that the app shows').fill(await authenticator.next())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByLabel('I have kept the codes').waitFor()
  await camera.take(page, 'invitation-codes')
  await page.context().close()
}

/** What comes over a page, and what a page shows after something was done. */
export const takeMoments = async (tour: Tour, person: Person, made: Furnished): Promise<void> => {
  const { world, camera, look, options } = tour
  const { page } = await world.open({ ...options, storageState: person.state })
  await goTo(page, `${world.url}/console/members`)
  await page.getByRole('button', { name: 'Invite somebody' }).click()
  await page.getByLabel('E-mail address').fill(`hedy-${look}@example.org`)
  await camera.take(page, 'dialog-invite-member', 'window')
  await page.getByRole('button', { name: 'Make the link' }).click()
  const link = page.getByRole('dialog', { name: 'The link for your colleague' })
  await untilThere(page, person.authenticator, link)
  await camera.take(page, 'dialog-member-link', 'window')
  await goTo(page, `${world.url}/console/connections/${made.connectionId}`)
  await page.getByRole('button', { name: 'Erase' }).click()
  await page.getByRole('dialog').waitFor()
  await camera.take(page, 'dialog-erase', 'window')
  await goTo(page, `${world.url}/console/connections/new`)
  await page.getByLabel('External id').fill('guest-1044')
  await page.getByRole('button', { name: 'Make the invitation' }).click()
  await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor()
  await camera.take(page, 'invitation-open')
  await takeTable(page, tour)
  await goTo(page, `${world.url}/console/overview`)
  // On a desk the ways are always there.
  if (look === 'phone') await page.getByRole('button', { name: 'Menu' }).tap()
  await camera.take(page, 'menu', 'window')
  await page.context().clearCookies({ name: '__Host-vouchsafe' })
  await goTo(page, `${world.url}/console/sign-in`)
  await page.context().close()
  await takeSessionOver(tour, person)
}

const LINES = 1_400

const takeTable = async (page: Page, { world, camera, look }: Tour): Promise<void> => {
  await goTo(page, `${world.url}/console/offers/new`)
  const lines = Array.from(
    { length: LINES },
    (_, index) => `con_2hxq5m8n1p4r7t0v3x6z9b2d5f,Member ${look} ${index + 1},${20 + (index % 60)}`,
  )
  lines.splice(6, 1, 'guest-1047,Grace Hopper,41')
  lines.splice(9, 1, lines[3] ?? '')
  const table = ['connectionId,name,age', ...lines].join('\n')
  await page.getByLabel('Good until').fill('2030-12-31')
  await page
    .getByLabel('Table as CSV')
    .setInputFiles({ name: 'members.csv', mimeType: 'text/csv', buffer: Buffer.from(table) })
  await page.getByRole('button', { name: /^Send [\d,]+ offers/ }).waitFor()
  await camera.take(page, 'table-preview')
  await page.getByRole('button', { name: /^Send [\d,]+ offers/ }).click()
  await page.getByRole('heading', { name: 'All offers are handed over' }).waitFor()
  await page.getByRole('cell', { name: 'Finished' }).nth(1).waitFor()
  await camera.take(page, 'table-sent')
  await page.getByRole('button', { name: 'Another table' }).click()
}

const takeSessionOver = async ({ world, camera, options }: Tour, { state }: Person): Promise<void> => {
  const { page } = await world.open({ ...options, storageState: state })
  await goTo(page, `${world.url}/console/members`)
  await page.context().clearCookies({ name: '__Host-vouchsafe' })
  await page.getByRole('searchbox').fill('ada')
  await page.getByRole('dialog', { name: 'Your session is over' }).waitFor()
  await camera.take(page, 'dialog-session-over', 'window')
  await page.context().close()
}
