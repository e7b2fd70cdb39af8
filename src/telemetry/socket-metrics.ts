import { Counter } from 'prom-client'
import { countersOf, gaugesOf } from './cluster-metrics.ts'
import type { Metrics } from './metrics.ts'

/** What the sockets of wallets at this node are, and have done since its start. */
export type SocketsStatus = {
  readonly open: number
  readonly opened: number
  readonly refused: number
  readonly unreadBytes: number
  /** By reason. */
  readonly ended: Readonly<Record<string, number>>
}

/** Read when the metrics are scraped, so counting costs nobody anything in between. */
export const showSockets = (metrics: Metrics, status: () => SocketsStatus): void => {
  const gauge = gaugesOf(metrics, 'vouchsafe_sockets', status)
  const counter = countersOf(metrics, 'vouchsafe_sockets', status)
  gauge('open', 'WebSockets of wallets that are open.', ({ open }) => open)
  gauge('unread_bytes', 'What waits in this process until wallets read it.', (now) => now.unreadBytes)
  counter('opened', 'WebSockets that were opened.', ({ opened }) => opened)
  counter('refused', 'Handshakes that were refused: too many, malformed.', ({ refused }) => refused)
  showEnds(metrics, status)
}

/** Mailboxes that sessions of this node watch at their owners, and that other nodes and this one watch here. */
export type WatchesStatus = { readonly kept: number; readonly due: number; readonly noted: number }

export const showWatches = (metrics: Metrics, status: () => WatchesStatus): void => {
  const gauge = gaugesOf(metrics, 'vouchsafe_mailbox_watches', status)
  gauge('kept', 'Mailboxes that sessions of this node watch.', ({ kept }) => kept)
  gauge('due', 'Of these, those whose owner is to be told of it.', ({ due }) => due)
  gauge('noted', 'Watches of mailboxes that this node owns.', ({ noted }) => noted)
}

const showEnds = ({ registry }: Metrics, status: () => SocketsStatus): Counter =>
  new Counter({
    name: 'vouchsafe_sockets_ended_total',
    help: 'WebSockets that ended, by reason: left is the other side, all others are this one.',
    labelNames: ['reason'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(status().ended)) this.inc({ reason }, count)
    },
  })
