import { randomUUID } from 'node:crypto'
import type { Page } from 'playwright-core'
import { untilFound } from '../../tools/harness/waiting.ts'

type Service = { readonly url: string; readonly apiKey: string }
type Progress = (text: string) => void

const AT_ONCE = 64
const SAID_EVERY = 50_000
/** The lists follow the records. */
const LISTED_LIMIT_MS = 300_000

/** Wallets of an app: the records that cost least to make and stand in a list as all others do. */
export const makeRecords = async (
  { url, apiKey }: Service,
  count: number,
  progress: Progress,
): Promise<void> => {
  let begun = 0
  let made = 0
  const known = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1
      const headers = { ...known, 'idempotency-key': randomUUID() }
      const body = JSON.stringify({ externalId: `app-${begun}` })
      const answer = await fetch(`${url}/v1/wallets`, { method: 'POST', headers, body })
      await answer.arrayBuffer()
      // The service says when it has room again.
      if (answer.status === 503 || answer.status === 429) begun -= 1
      else if (answer.status !== 201) throw new Error(`a wallet was answered ${answer.status}`)
      else if (++made % SAID_EVERY === 0) progress(`${made} of ${count} records made`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  progress('waiting until all of them are listed')
  const look = async (): Promise<boolean> => {
    const answer = await fetch(`${url}/v1/wallets`, { headers: known })
    const { total } = (await answer.json()) as { readonly total?: number }
    return total === count
  }
  const otherwise = () => new Error(`the list has not all of the ${count} records`)
  await untilFound(look, { limitMs: LISTED_LIMIT_MS, everyMs: 500, otherwise })
}

/** What a person presses, from the list as it is opened. */
const STEPS = {
  next_page: `document.querySelector('.pager nav a:last-of-type').click()`,
  previous_page: `document.querySelector('.pager nav a').click()`,
  page_of_100: `(() => { const size = document.querySelector('.pager select'); size.value = '100'; size.dispatchEvent(new Event('change', { bubbles: true })) })()`,
} as const

/** Lists that are opened by their address, in the page that stands there already. */
const addressesFor = (records: number): Readonly<Record<string, string>> => ({
  deep_page: `page=${Math.max(1, Math.floor(records / 50))}`,
  last_page: `page=${Math.ceil(records / 25)}`,
  state_filter: 'status=pending',
  search_of_one: `q=app-${Math.floor(records / 2)}`,
})

/** From the press to the frame in which the new rows stand, by the clock of the page. */
const timed = (press: string): string => `new Promise((resolve, reject) => {
  const rows = () => document.querySelector('tbody')?.innerText ?? ''
  const before = rows()
  const begun = performance.now()
  const look = () => {
    const table = document.querySelector('table')
    if (table?.getAttribute('aria-busy') === 'false' && rows() !== before)
      return resolve(performance.now() - begun)
    if (performance.now() - begun > 30_000) return reject(new Error('no other rows came'))
    requestAnimationFrame(look)
  }
  ${press}
  requestAnimationFrame(look)
})`

/** The browser reports each task of a page that takes longer than 50 ms; a new page begins a new report. */
const TASKS = `
  window.longest = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
  }).observe({ type: 'longtask' })
`

/** Milliseconds for each way to other rows, as often as is asked, and the longest task among all of them. */
export const measureLists = async (
  page: Page,
  url: string,
  { records, times }: { readonly records: number; readonly times: number },
): Promise<{ readonly ways: ReadonlyMap<string, readonly number[]>; readonly longestTaskMs: number }> => {
  const ways = new Map<string, number[]>()
  let longestTaskMs = 0
  const measure = async (name: string, press: string): Promise<void> => {
    const ms = await page.evaluate<number>(timed(press))
    ways.set(name, [...(ways.get(name) ?? []), ms])
    longestTaskMs = Math.max(longestTaskMs, await page.evaluate<number>('window.longest'))
  }
  for (let time = 0; time < times; time += 1) {
    await opened(page, url)
    for (const [name, press] of Object.entries(STEPS)) await measure(name, press)
    for (const [name, query] of Object.entries(addressesFor(records))) {
      await opened(page, url)
      const go = `(() => { const link = document.createElement('a'); link.href = '/console/wallets?${query}'; document.querySelector('main').append(link); link.click(); link.remove() })()`
      await measure(name, go)
    }
  }
  return { ways, longestTaskMs }
}

const opened = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}/console/wallets?page=2`)
  await page.locator('tbody tr').first().waitFor()
  await page.waitForLoadState('networkidle')
  // Drawing the page itself is no way to another page of the list.
  await page.evaluate(TASKS)
}
