import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ConsoleWorld, DESK, enrol } from './parts/console-world.ts'

const world = new ConsoleWorld()
let state: Awaited<ReturnType<ReturnType<Page['context']>['storageState']>>
beforeAll(async () => {
  await world.start()
  const { page } = await world.open()
  await enrol(page, world.invitation)
  state = await page.context().storageState()
})
afterAll(() => world.stop())

/** What the console took, by the clock of the page. */
type Opening = { readonly usableMs: number; readonly longTasksMs: readonly number[] }

const SLOWDOWN = 4
const OPENINGS = 5
/** A page that is asked by the test has that on its clock too, so it says by itself when it can be used. */
const TELLS_WHEN_USABLE = `
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
  const look = () => {
    const amounts = [...document.querySelectorAll('.tile .amount')]
    if (amounts.length === 0 || amounts.some(({ textContent }) => textContent === '…')) return setTimeout(look, 10)
    const usableMs = performance.now()
    setTimeout(() => console.info('opened ' + JSON.stringify({ usableMs, longTasksMs: tasks })), 500)
  }
  look()
`

/** The first page, with nothing of it in the browser yet, on a machine that is four times as slow. */
const open = async (): Promise<Opening> => {
  const { page } = await world.open({ ...DESK, storageState: state })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.addInitScript(TELLS_WHEN_USABLE)
  const told = page.waitForEvent('console', (message) => message.text().startsWith('opened '))
  await page.goto(`${world.url}/console/overview`, { waitUntil: 'commit' })
  const opening = JSON.parse((await told).text().slice('opened '.length)) as Opening
  await page.context().close()
  return opening
}

it('the first page can be used within a second, and never keeps the browser for longer than 100 ms', async () => {
  const openings: Opening[] = []
  for (let count = 0; count < OPENINGS; count += 1) openings.push(await open())
  // Whatever else the machine does only adds, so the best of several says what the console takes.
  const best = (take: (opening: Opening) => number): number => Math.min(...openings.map(take))
  const seen = JSON.stringify(openings)
  expect(
    best(({ usableMs }) => usableMs),
    seen,
  ).toBeLessThan(1_000)
  expect(
    best(({ longTasksMs }) => Math.max(0, ...longTasksMs)),
    seen,
  ).toBeLessThanOrEqual(100)
})
