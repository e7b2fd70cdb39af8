import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { faultsOf } from './console-world.ts'

/** A dialog says what an order does; the order is given there, and the dialog goes once the order is done. */
export const confirmIn = async (page: Page, title: string, go: string): Promise<void> => {
  const dialog = page.getByRole('dialog', { name: title })
  await dialog.waitFor()
  expect(await faultsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: go, exact: true }).click()
  await expect.poll(() => dialog.count()).toBe(0)
}
