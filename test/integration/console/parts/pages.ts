import type { Page } from 'playwright-core'

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
  await page.goto(`${url}/console/${path}`)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')
}
