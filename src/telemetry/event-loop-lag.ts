import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** Each look wakes the process, and the library's hundred a second were a part of what an idle service took. */
const LOOK_EVERY_MS = 100
const NS_PER_S = 1e9

/** How late what is due runs, since the last collection: the looks come that much later than they should. */
export const showEventLoopLag = (registry: Registry, prefix: string): void => {
  const looks = monitorEventLoopDelay({ resolution: LOOK_EVERY_MS })
  looks.enable()
  const lateS = (apartNs: number): number => Math.max(0, apartNs / NS_PER_S - LOOK_EVERY_MS / 1_000)
  const gauge = (name: string, what: string, collect?: (this: Gauge) => void): Gauge =>
    new Gauge({
      name: `${prefix}nodejs_eventloop_lag_${name}_seconds`,
      help: `${what} of the recorded event loop delays.`,
      registers: [registry],
      ...(collect && { collect }),
    })
  // The first of the three, because they are collected in this order.
  gauge('max', 'The maximum', function () {
    if (looks.count === 0) return
    p50.set(lateS(looks.percentile(50)))
    p99.set(lateS(looks.percentile(99)))
    this.set(lateS(looks.max))
    looks.reset()
  })
  const p50 = gauge('p50', 'The 50th percentile')
  const p99 = gauge('p99', 'The 99th percentile')
}
