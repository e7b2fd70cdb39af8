import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { Secret, TOTP } from 'otpauth'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startBrowser } from '../../../browser/start-browser.ts'
import { ServiceProcess } from '../../../service-process.ts'

/** Of the first start. */
export const ORGANISATION = 'ten_00development'
export const DEVELOPER = 'developer@localhost'
export const PASSWORD = 'a walk along the river at dawn'

export const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 900 } }
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
}

/** A running service as its first start leaves it, and a browser in front of it. */
export class ConsoleWorld {
  readonly #service: ServiceProcess
  #browser: Browser | null = null
  /** As the terminal shows it, so that cookies and passkeys are those of a name. */
  url = ''

  constructor(environment: Readonly<Record<string, string>> = {}) {
    this.#service = new ServiceProcess(environment)
  }

  async start(): Promise<void> {
    const [{ url }, browser] = await Promise.all([this.#service.untilListening(), startBrowser()])
    this.url = url
    this.#browser = browser
  }

  async stop(): Promise<void> {
    await this.#browser?.close()
    await this.#service.stop()
  }

  get apiKey(): string {
    return this.#service.apiKey
  }

  /** The link that the first start prints. */
  get invitation(): string {
    return /\S+\/console\/invitation#\S+/.exec(this.#service.shown)?.[0] ?? ''
  }

  /** An order of the operator of the machine, as the command line gives it. */
  async order(
    method: string,
    path: string,
    body?: object,
    organisation = ORGANISATION,
  ): Promise<Readonly<Record<string, unknown>>> {
    const credential = readFileSync(join(this.#service.folder, 'data', 'operator-token'), 'utf8')
    const [privateUrl = '', token = ''] = credential.split('\n')
    const answer = await fetch(`${privateUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        // A wallet is named by it, as its installation is.
        'idempotency-key': randomUUID(),
        'x-vouchsafe-organisation': organisation,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }

  /** A window, and what its pages complain of: errors of scripts, and what their policy forbids. */
  async open(options: BrowserContextOptions = DESK): Promise<{ page: Page; complaints: string[] }> {
    if (this.#browser === null) throw new Error('the world was not started')
    const context = await this.#browser.newContext(options)
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
    const step = Math.max(this.#shownStep + 1, stepNow() - 1)
    while (step > stepNow() + 1) await new Promise((resolve) => setTimeout(resolve, 500))
    this.#shownStep = step
    return this.#totp.generate({ timestamp: step * STEP_MS })
  }
}

const stepNow = (): number => Math.floor(Date.now() / STEP_MS)

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
