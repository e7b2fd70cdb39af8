import { Gauge } from 'prom-client'
import { countersOf, gaugesOf } from './cluster-metrics.ts'
import type { Metrics } from './metrics.ts'

// All of these are read when the metrics are scraped, so counting costs nobody anything in between.

const STATES = ['connected', 'connecting', 'refused'] as const

/** What the links of this node are and have done since the start. */
export type LinksStatus = {
  readonly requests: number
  readonly answers: number
  readonly requestsFailed: number
  readonly requestsNotSent: number
  readonly served: number
  readonly turnedAway: number
  readonly batchesSent: number
  readonly bytesSent: number
  readonly bytesReceived: number
  readonly connected: number
  readonly lost: number
  readonly dialsFailed: number
  readonly peers: readonly { readonly state: (typeof STATES)[number]; readonly waiting: number }[]
  readonly strangers: { readonly total: number; readonly now: number }
}

/** The links between this node and the others. */
export const showLinks = (metrics: Metrics, status: () => LinksStatus): void => {
  const prefix = 'vouchsafe_link'
  const counter = countersOf(metrics, prefix, status)
  const gauge = gaugesOf(metrics, prefix, status)
  showPeers(metrics, status)
  gauge('waiting', 'Requests to other nodes that are not answered yet, of every kind.', ({ peers }) =>
    peers.reduce((sum, { waiting }) => sum + waiting, 0),
  )
  counter('requests', 'Requests to other nodes.', ({ requests }) => requests)
  counter('answers', 'Answers to them.', ({ answers }) => answers)
  counter('requests_failed', 'Requests that ended without an answer.', (now) => now.requestsFailed)
  counter('requests_not_sent', 'Of these, those that were surely not begun.', (now) => now.requestsNotSent)
  counter('served', 'Requests of other nodes that were begun here.', ({ served }) => served)
  counter(
    'turned_away',
    'Requests of other nodes that were not begun: late, too many.',
    (now) => now.turnedAway,
  )
  counter(
    'batches_sent',
    'Messages to other nodes; each has what gathered in one turn.',
    (now) => now.batchesSent,
  )
  counter('sent_bytes', 'Their bytes, before encryption.', ({ bytesSent }) => bytesSent)
  counter('received_bytes', 'The bytes of what came.', ({ bytesReceived }) => bytesReceived)
  counter('connected', 'Connections that were made and proved.', ({ connected }) => connected)
  counter('lost', 'Connections that ended without a goodbye.', ({ lost }) => lost)
  counter('dials_failed', 'Attempts that made no connection.', ({ dialsFailed }) => dialsFailed)
  counter(
    'strangers',
    'Connections to the port of the nodes that proved nothing.',
    (now) => now.strangers.total,
  )
  gauge('unproved', 'Connections to it that have proved nothing yet.', ({ strangers }) => strangers.now)
}

const showPeers = ({ registry }: Metrics, status: () => LinksStatus): Gauge =>
  new Gauge({
    name: 'vouchsafe_link_peers',
    help: 'Other nodes by the state of the link to them: alarm where some stay unconnected.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { peers } = status()
      for (const state of STATES) this.set({ state }, peers.filter((peer) => peer.state === state).length)
    },
  })

/** Copies of what other nodes own, and what of this node's others have. */
export type FactsStatus = {
  readonly copies: number
  readonly bytes: number
  readonly asked: number
  readonly lent: number
  readonly recalled: number
}

export const showFacts = (metrics: Metrics, status: () => FactsStatus): void => {
  const gauge = gaugesOf(metrics, 'vouchsafe_facts', status)
  gauge('copies', 'Copies of records that other nodes own.', ({ copies }) => copies)
  gauge('copies_bytes', 'Their bytes, as they came.', ({ bytes }) => bytes)
  gauge('asked', 'Records that other nodes are being asked for.', ({ asked }) => asked)
  gauge('lent', 'Notes of who may have a copy of what is owned here.', ({ lent }) => lent)
  gauge('recalled', 'Records whose copies are being called back.', ({ recalled }) => recalled)
}
