import { Counter, Gauge, type Metric, type Registry } from 'prom-client'

/** Bucket edges in seconds around the time that requests take: from a read in memory to an ask that times out. */
const SECONDS_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const SECONDS = 'vouchsafe_http_request_seconds'

type RouteTally = {
  readonly statuses: Map<number, number>
  /**
   * The number of requests that took no longer than the edge of the same index and longer than the edge before it; the
   * last counts those longer than all edges.
   */
  readonly buckets: Float64Array
  seconds: number
}

/**
 * Requests by route and status, and how long they took. They are counted in plain numbers, which the library reads when
 * it is scraped: its own counters look their labels up for every request, which is a twentieth of what a read costs.
 */
export class RequestMetrics {
  inFlight = 0
  readonly #routes = new Map<string, RouteTally>()

  constructor(registry: Registry) {
    const inFlight = () => this.inFlight
    const routes = this.#routes
    const gauge = new Gauge({
      name: 'vouchsafe_http_requests_in_flight',
      help: 'HTTP requests that have come whole and have no answer yet.',
      registers: [],
      collect() {
        this.set(inFlight())
      },
    })
    const counter = new Counter({
      name: 'vouchsafe_http_requests_total',
      help: 'HTTP requests by route and status.',
      labelNames: ['route', 'status'],
      registers: [],
      collect() {
        this.reset()
        for (const [route, { statuses }] of routes)
          for (const [status, count] of statuses) this.inc({ route, status }, count)
      },
    })
    const histogram = {
      name: SECONDS,
      get: async () => ({
        name: SECONDS,
        help: 'Time from the head of a request to its answer.',
        type: 'histogram',
        aggregator: 'sum',
        values: [...routes].flatMap(([route, tally]) => valuesOf(route, tally)),
      }),
      reset: () => routes.clear(),
    }
    for (const metric of [gauge, counter, histogram as unknown as Metric]) registry.registerMetric(metric)
  }

  answered(route: string, status: number, seconds: number): void {
    const tally = this.#routes.get(route) ?? this.#newRoute(route)
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    tally.seconds += seconds
    let at = 0
    while (seconds > (SECONDS_BUCKETS[at] ?? Number.POSITIVE_INFINITY)) at++
    tally.buckets[at] = (tally.buckets[at] ?? 0) + 1
  }

  #newRoute(route: string): RouteTally {
    const buckets = new Float64Array(SECONDS_BUCKETS.length + 1)
    const tally = { statuses: new Map<number, number>(), buckets, seconds: 0 }
    this.#routes.set(route, tally)
    return tally
  }
}

/** The lines of a histogram, in which every bucket includes the ones before it. */
const valuesOf = (route: string, { buckets, seconds }: RouteTally) => {
  let count = 0
  const lines = [...buckets].map((inBucket, at) => {
    count += inBucket
    const labels = { le: SECONDS_BUCKETS[at] ?? '+Inf', route }
    return { labels, value: count, metricName: `${SECONDS}_bucket` }
  })
  return [
    ...lines,
    { labels: { route }, value: seconds, metricName: `${SECONDS}_sum` },
    { labels: { route }, value: count, metricName: `${SECONDS}_count` },
  ]
}
