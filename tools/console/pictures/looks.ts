import type { BrowserContextOptions } from 'playwright-core'
import { DESK, PHONE } from '../../../test/integration/console/parts/console-world.ts'

/** How a page is looked at; the names are those of the folders. */
export const looks = {
  light: { ...DESK, colorScheme: 'light', reducedMotion: 'reduce' },
  dark: { ...DESK, colorScheme: 'dark', reducedMotion: 'reduce' },
  phone: { ...PHONE, colorScheme: 'light', reducedMotion: 'reduce' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

export type Look = keyof typeof looks
