import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

/** Bucket edges in seconds around the time a request takes here: from a read in memory to an ask that times out. */
const SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Labels are names that the code knows (routes, states, parts), never ids or anything a caller wrote. */
export type Metrics = {
  readonly registry: Registry
  readonly requests: Counter<'route' | 'status'>
  readonly requestSeconds: Histogram<'route'>
  readonly requestsInFlight: Gauge
  readonly partUp: Gauge<'part'>
}

export const createMetrics = (): Metrics => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'vouchsafe_' })
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: 'vouchsafe_http_requests_total',
      help: 'HTTP requests by route and status.',
      labelNames: ['route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'vouchsafe_http_request_seconds',
      help: 'Time from the last byte of a request to its answer.',
      labelNames: ['route'],
      buckets: SECONDS_BUCKETS,
      registers,
    }),
    requestsInFlight: new Gauge({
      name: 'vouchsafe_http_requests_in_flight',
      help: 'HTTP requests that have no answer yet.',
      registers,
    }),
    partUp: new Gauge({
      name: 'vouchsafe_part_up',
      help: '1 while a part answers its probe, else 0.',
      labelNames: ['part'],
      registers,
    }),
  }
}
