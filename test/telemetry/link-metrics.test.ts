import { describe, expect, it } from 'vitest'
import { noCounts } from '../../src/cluster/link/link-counts.ts'
import { showFacts, showLinks } from '../../src/telemetry/link-metrics.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'

const scraped = async (metrics: ReturnType<typeof createMetrics>): Promise<readonly string[]> =>
  (await metrics.registry.metrics()).split('\n').filter((line) => /^vouchsafe_(link|facts)_/.test(line))

describe('the metrics of the links of a node', () => {
  it('are the others by state, what went to and fro, and strangers', async () => {
    const metrics = createMetrics()
    showLinks(metrics, () => ({
      ...noCounts(),
      requests: 10,
      answers: 8,
      requestsFailed: 2,
      requestsNotSent: 1,
      served: 7,
      turnedAway: 3,
      batchesSent: 20,
      bytesSent: 4_000,
      bytesReceived: 5_000,
      connected: 4,
      lost: 1,
      dialsFailed: 6,
      peers: [
        { state: 'connected', waiting: 2 },
        { state: 'connected', waiting: 1 },
        { state: 'refused', waiting: 0 },
      ],
      strangers: { total: 9, now: 5 },
    }))
    expect(await scraped(metrics)).toEqual([
      'vouchsafe_link_peers{state="connected"} 2',
      'vouchsafe_link_peers{state="connecting"} 0',
      'vouchsafe_link_peers{state="refused"} 1',
      'vouchsafe_link_waiting 3',
      'vouchsafe_link_requests_total 10',
      'vouchsafe_link_answers_total 8',
      'vouchsafe_link_requests_failed_total 2',
      'vouchsafe_link_requests_not_sent_total 1',
      'vouchsafe_link_served_total 7',
      'vouchsafe_link_turned_away_total 3',
      'vouchsafe_link_batches_sent_total 20',
      'vouchsafe_link_sent_bytes_total 4000',
      'vouchsafe_link_received_bytes_total 5000',
      'vouchsafe_link_connected_total 4',
      'vouchsafe_link_lost_total 1',
      'vouchsafe_link_dials_failed_total 6',
      'vouchsafe_link_strangers_total 9',
      'vouchsafe_link_unproved 5',
    ])
  })

  it('are the copies of what others own, and the notes of who has copies', async () => {
    const metrics = createMetrics()
    showFacts(metrics, () => ({ copies: 3, bytes: 1_200, asked: 1, lent: 7, recalled: 2 }))
    expect(await scraped(metrics)).toEqual([
      'vouchsafe_facts_copies 3',
      'vouchsafe_facts_copies_bytes 1200',
      'vouchsafe_facts_asked 1',
      'vouchsafe_facts_lent 7',
      'vouchsafe_facts_recalled 2',
    ])
  })
})
