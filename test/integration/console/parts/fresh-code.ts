import type { Locator, Page } from 'playwright-core'
import type { Authenticator } from './console-world.ts'

const LIMIT_MS = 120_000

/**
 * Waits for what a press brings. Where the last code was shown too long ago, as on a busy machine, a fresh one is asked
 * for over it, and shown.
 */
export const untilThere = async (
  page: Page,
  authenticator: Authenticator,
  wanted: Locator,
): Promise<void> => {
  const stepUp = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await wanted.or(stepUp).first().waitFor({ timeout: LIMIT_MS })
  if (await stepUp.isVisible()) {
    await stepUp.getByLabel('Code').fill(await authenticator.next())
    await page.keyboard.press('Enter')
    await stepUp.waitFor({ state: 'detached', timeout: LIMIT_MS })
  }
  await wanted.waitFor({ timeout: LIMIT_MS })
}
