import { setTimeout as pause } from 'node:timers/promises'
import type { Page, Request } from 'playwright-core'

/** Addresses behind `/console/`. A test of the pictures holds that none is missing. */
export const MEMBER_PAGES: readonly string[] = [
  'overview',
  'connections',
  'connections/new',
  'credentials',
  'credentials/new',
  'proofs',
  'proofs/new',
  'offers',
  'offers/new',
  'deliveries',
  'wallets',
  'erasures',
  'schemas',
  'schemas/new',
  'definitions',
  'definitions/new',
  'templates',
  'templates/new',
  'webhook',
  'biometric',
  'retention',
  'members',
  'audit',
  'account',
]

export const OPERATOR_PAGES: readonly string[] = [
  'organisations',
  'keys',
  'endorsements',
  'health',
  'agreement',
  'cluster',
  'parked',
  'operators',
  'operator-audit',
]

/** Goes to an address behind `/console/`, and waits until its page is there with all that it asks for. */
export const goToPage = async (
  page: Page,
  { url }: { readonly url: string },
  path: string,
): Promise<void> => {
  const isQuiet = quietOf(page)
  await page.goto(`${url}/console/${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await isQuiet()
}

const QUIET_MS = 120
const LOOK_EVERY_MS = 15
/** Goes on for as long as the page is there. */
const STREAM = '/v1/events/stream'
/** Behind everything that the page has to do now. */
const HAS_NOTHING_TO_DO = 'new Promise((done) => requestIdleCallback(() => done(), { timeout: 1000 }))'

/**
 * Waits until a page waits for no answer and has nothing to do, for a while that a busy machine makes longer: each look is
 * an errand of the page itself. The browser's own word for it comes half a second later, on hundreds of pages.
 */
const quietOf = (page: Page): (() => Promise<void>) => {
  const waiting = waitingOf(page)
  return async () => {
    for (let sinceMs = performance.now(); performance.now() - sinceMs < QUIET_MS; ) {
      await pause(LOOK_EVERY_MS)
      const isThere = await page.evaluate(HAS_NOTHING_TO_DO).then(
        () => true,
        () => false,
      )
      if (page.isClosed()) return
      if (!isThere || waiting.size > 0) sinceMs = performance.now()
    }
  }
}

const known = new WeakMap<Page, Set<Request>>()

const waitingOf = (page: Page): ReadonlySet<Request> => {
  const before = known.get(page)
  if (before !== undefined) return before
  const waiting = new Set<Request>()
  known.set(page, waiting)
  page.on('request', (request) => {
    if (!request.url().endsWith(STREAM)) waiting.add(request)
  })
  page.on('requestfinished', (request) => void waiting.delete(request))
  page.on('requestfailed', (request) => void waiting.delete(request))
  return waiting
}
