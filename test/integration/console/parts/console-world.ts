import { randomUUID } from 'node:crypto'
import axe from 'axe-core'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from '../../../browser/start-browser.ts'
import { against } from '../../../e2e/against.ts'
import { type ConsolePlace, embeddedPlace, type Json, type OpenPlace } from './console-place.ts'

export const DEVELOPER = 'developer@localhost'
export const PASSWORD = 'a walk along the river at dawn'

export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
}

/** A running service with an organisation whose first administrator is invited, and a browser in front of it. */
export class ConsoleWorld {
  readonly #environment: Readonly<Record<string, string>>
  readonly #open: OpenPlace | null
  #place: ConsolePlace | null = null
  #browser: Browser | null = null

  /** `open` where it is to be another place than that of the run. */
  constructor(environment: Readonly<Record<string, string>> = {}, open: OpenPlace | null = null) {
    this.#environment = environment
    this.#open = open
  }

  async start(): Promise<void> {
    // Only a run of tests has a cluster to ask for; pictures and benchmarks have none.
    const ofRun = against === null ? embeddedPlace : (await import('./cluster-place.ts')).clusterPlace
    const open = this.#open ?? ofRun
    this.#place = await open(this.#environment)
    this.#browser = await startBrowser(this.#place.browserWords)
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    await this.#place?.stop()
  }

  get #started(): ConsolePlace {
    if (this.#place === null) throw new Error('the world was not started')
    return this.#place
  }

  get url(): string {
    return this.#started.url
  }

  get apiKey(): string {
    return this.#started.apiKey
  }

  /** The id of the organisation. */
  get organisation(): string {
    return this.#started.organisation.id
  }

  get organisationName(): string {
    return this.#started.organisation.name
  }

  /** The link that the first start prints, or that an operator has made for the first administrator. */
  get invitation(): string {
    return this.#started.invitation
  }

  /** An order of the operator of the machine, as the command line gives it. */
  order(method: string, path: string, body?: object, organisation = this.organisation): Promise<Json> {
    return this.#started.order({ method, path, body, organisation })
  }

  /** The link for an operator. Operators are those of a whole service, so the address is nobody else's. */
  async inviteOperator(name: string): Promise<string> {
    const emailAddress = `${name}-${randomUUID().slice(0, 8)}@example.org`
    const { invitationLink } = await this.order('POST', '/v1/operator/operators', { emailAddress })
    return String(invitationLink)
  }

  /** A window, and what its pages complain of: errors of scripts, and what their policy forbids. */
  async open(options: BrowserContextOptions = DESK): Promise<{ page: Page; complaints: string[] }> {
    if (this.#browser === null) throw new Error('the world was not started')
    // What a test asks for by itself, in the name of a page, does not know the browser's list of certificates.
    const context = await this.#browser.newContext({
      ...options,
      ignoreHTTPSErrors: this.url.startsWith('https:'),
    })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('console', (message) => {
      // A refusal of the API is an answer; the console shows it in its own words.
      if (!message.text().startsWith('Failed to load resource')) complaints.push(message.text())
    })
    return { page, complaints }
  }
}

/** From the link to the overview, as a person goes it; the authenticator is in the person's hand. */
export const enrol = async (
  page: Page,
  link: string,
  name = 'Ada Lovelace',
  arrivesAt = 'Overview',
): Promise<Authenticator> => {
  await page.goto(link)
  await page.getByLabel('Your name').fill(name)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('The camera does not work?').click()
  const authenticator = new Authenticator(await page.locator('.seed code').innerText())
  await page.getByLabel('Code that the app shows').fill(await authenticator.next())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByLabel('I have kept the codes').check()
  await page.getByRole('button', { name: 'To the console' }).click()
  await page.getByRole('heading', { level: 1, name: arrivesAt }).waitFor()
  return authenticator
}

const STEP_MS = 30_000
const TYPING_MS = 10_000

/**
 * Shows each code once, as the service takes each once. Codes of the half minute before and after now are good as well,
 * so that two are at hand at any time, and a third after some waiting.
 */
export class Authenticator {
  readonly #totp: TOTP
  #shownStep = 0

  constructor(seed: string) {
    this.#totp = new TOTP({ secret: Secret.fromBase32(seed) })
  }

  async next(): Promise<string> {
    // What a slow page sends some seconds later is to be good still.
    const step = Math.max(this.#shownStep + 1, stepAt(Date.now() + TYPING_MS) - 1)
    while (step > stepAt(Date.now()) + 1) await new Promise((resolve) => setTimeout(resolve, 500))
    this.#shownStep = step
    return this.#totp.generate({ timestamp: step * STEP_MS })
  }
}

const stepAt = (atMs: number): number => Math.floor(atMs / STEP_MS)

type Fault = {
  readonly id: string
  readonly help: string
  readonly nodes: readonly { readonly html: string }[]
}

/** What axe objects to on the page as it is, a line each. */
export const faultsOf = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: readonly Fault[] }>(
    "axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })",
  )
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}
