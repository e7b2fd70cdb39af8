import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

type Contrast = { readonly text: string; readonly ratio: number }

const IN_PAGE = readFileSync(new URL('contrasts.js', import.meta.url), 'utf8')

/** How far every text that is shown stands out from what is behind it. */
export const contrastsIn = (page: Page): Promise<readonly Contrast[]> =>
  page.evaluate<readonly Contrast[]>(IN_PAGE)
