import type { Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { type Authenticator, type ConsoleWorld, DEVELOPER, PASSWORD } from './console-world.ts'

/** The steps of the page that stands there, and of the dialog that looks the same. */
export const typePassword = async (
  page: Page,
  world: ConsoleWorld,
  { organisation = world.organisation, emailAddress = DEVELOPER, password = PASSWORD } = {},
): Promise<void> => {
  if (organisation !== '') await page.getByLabel('Organisation').fill(organisation)
  await page.getByLabel('E-mail address').fill(emailAddress)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

export const typeCode = async (page: Page, authenticator: Authenticator): Promise<void> => {
  await page.getByLabel('Code of your authenticator').fill(await authenticator.next())
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** The service wants a fresh code five minutes after the last one; here it says so at once, the first time. */
export const wantsFreshCode = async (page: Page, path: string): Promise<void> => {
  let isFirst = true
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() === 'GET' || !isFirst) return route.continue()
    isFirst = false
    const json = { error: 'step_up_required', reason: 'Show a fresh code of your authenticator first.' }
    return route.fulfill({ status: 403, json })
  })
  onTestFinished(() => page.unroute(`**${path}`))
}
