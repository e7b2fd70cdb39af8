import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

/** Longer pages are cut off here: what follows are more rows of the same. */
const HEIGHT_MAX = 3_000
/** Enough for letters that can be read; a third of what 90 takes. */
const QUALITY = 50

/** Takes pictures of whole pages into a folder, each under its own name once. */
export class Camera {
  readonly #folder: string
  readonly #pngFolder: string | null
  readonly #taken: string[] = []

  /** Few programs that show a picture beside code read WebP, so there may be a second folder with PNGs. */
  constructor(folder: string, pngFolder: string | null) {
    for (const each of [folder, pngFolder]) if (each !== null) mkdirSync(each, { recursive: true })
    this.#folder = folder
    this.#pngFolder = pngFolder
  }

  get taken(): readonly string[] {
    return this.#taken
  }

  /** All of a page, or what a window shows of it where something stands over it. */
  async take(page: Page, name: string, what: 'page' | 'window' = 'page'): Promise<void> {
    await page.waitForLoadState('networkidle')
    await page.evaluate('document.fonts.ready')
    const before = page.viewportSize()
    const width = before?.width ?? 0
    const scrolled = what === 'page' ? await heightAtRest(page) : 0
    const height = Math.min(Math.max(scrolled, before?.height ?? 0), HEIGHT_MAX)
    // What stands beside the page goes on to its end then.
    await page.setViewportSize({ width, height })
    const session = await page.context().newCDPSession(page)
    const clip = { x: 0, y: 0, width, height, scale: 1 }
    const shot = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY, clip })
    writeFileSync(join(this.#folder, `${name}.webp`), Buffer.from(shot.data, 'base64'))
    if (this.#pngFolder !== null) {
      const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip })
      writeFileSync(join(this.#pngFolder, `${name}.png`), Buffer.from(data, 'base64'))
    }
    await session.detach()
    if (before !== null) await page.setViewportSize(before)
    this.#taken.push(name)
  }
}

const LOOKS_MAX = 20
const BETWEEN_LOOKS_MS = 150

/** A page that was come to by a link inside goes on being filled when the browser has loaded everything. */
const heightAtRest = async (page: Page): Promise<number> => {
  let before = -1
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const height = await page.evaluate<number>('document.documentElement.scrollHeight')
    if (height === before) return height
    before = height
    await page.waitForTimeout(BETWEEN_LOOKS_MS)
  }
  return before
}
