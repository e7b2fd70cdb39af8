/** What the link has done since its start, for metrics. Counters only ever grow. */
export type LinkCounts = {
  requests: number
  answers: number
  /** Requests of this node that ended without an answer. */
  requestsFailed: number
  /** Of these, the ones that were surely not begun. */
  requestsNotSent: number
  /** Requests of other nodes that a handler was called for. */
  served: number
  /** Requests of other nodes that were not begun: late, over the bound, without a handler. */
  turnedAway: number
  batchesSent: number
  bytesSent: number
  bytesReceived: number
  connected: number
  /** Connections that ended without a goodbye. */
  lost: number
  dialsFailed: number
}

export const noCounts = (): LinkCounts => ({
  requests: 0,
  answers: 0,
  requestsFailed: 0,
  requestsNotSent: 0,
  served: 0,
  turnedAway: 0,
  batchesSent: 0,
  bytesSent: 0,
  bytesReceived: 0,
  connected: 0,
  lost: 0,
  dialsFailed: 0,
})
