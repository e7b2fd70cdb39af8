import { expect, it } from 'vitest'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { showSockets, showWatches } from '../../src/telemetry/socket-metrics.ts'

it('shows what sockets are open, and how they ended', async () => {
  const metrics = createMetrics()
  showSockets(metrics, () => ({
    open: 3,
    opened: 7,
    refused: 2,
    unreadBytes: 400,
    ended: { left: 3, silent: 1 },
  }))
  showWatches(metrics, () => ({ kept: 5, due: 1, noted: 9 }))
  const text = await metrics.registry.metrics()
  for (const line of [
    'vouchsafe_sockets_open 3',
    'vouchsafe_sockets_unread_bytes 400',
    'vouchsafe_sockets_opened_total 7',
    'vouchsafe_sockets_refused_total 2',
    'vouchsafe_sockets_ended_total{reason="left"} 3',
    'vouchsafe_sockets_ended_total{reason="silent"} 1',
    'vouchsafe_mailbox_watches_kept 5',
    'vouchsafe_mailbox_watches_due 1',
    'vouchsafe_mailbox_watches_noted 9',
  ])
    expect(text).toContain(line)
})
