import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test.ts'

const RATE = 300
const REQUESTS = 360
const LANES = 12
const WINDOW_MS = 60_000

let at: ServiceUnderTest
beforeAll(async () => {
  at = await serviceUnderTest()
}, 240_000)
afterAll(() => at?.close())

it('300 requests of a key are answered in a minute, not one more and not one less, whoever answers', async () => {
  const { id, key } = await at.order('key create', { tenant: at.tenant, label: 'counted' })
  await at.order('key rate', { keyId: id, perMinute: RATE })
  const answered: Record<number, number> = {}
  const left: string[] = []
  let sent = 0
  const startedMs = performance.now()
  const lane = async (): Promise<void> => {
    while (sent++ < REQUESTS) {
      const { status, headers } = await at.send('GET', '/v1/ledger', undefined, String(key))
      answered[status] = (answered[status] ?? 0) + 1
      if (status === 429) left.push(String(headers.get('retry-after')))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  // Behind that the first of them would be a minute ago.
  expect(performance.now() - startedMs).toBeLessThan(WINDOW_MS)
  expect(answered).toEqual({ 200: RATE, 429: REQUESTS - RATE })
  for (const seconds of left) expect(Number(seconds)).toBeGreaterThan(0)
  // Other keys of the organisation have a rate of their own.
  expect((await at.send('GET', '/v1/ledger')).status).toBe(200)
}, 120_000)
