import { createHistogram } from 'node:perf_hooks'

export type LatencySummary = {
  readonly count: number
  readonly p50_ms: number
  readonly p99_ms: number
  readonly max_ms: number
}

/** Keeps millions of latencies in constant memory, each to three digits. */
export class Latencies {
  readonly #histogram = createHistogram({ figures: 3 })

  add(milliseconds: number): void {
    this.#histogram.record(Math.max(1, Math.round(milliseconds * 1e6)))
  }

  summary(): LatencySummary {
    if (this.#histogram.count === 0) throw new Error('no latency was recorded')
    return {
      count: this.#histogram.count,
      p50_ms: this.#histogram.percentile(50) / 1e6,
      p99_ms: this.#histogram.percentile(99) / 1e6,
      max_ms: this.#histogram.max / 1e6,
    }
  }
}
