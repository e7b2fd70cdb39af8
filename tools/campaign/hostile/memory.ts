import { usageOf } from '../../../bench/harness/process-usage.ts'
import { medianAndMost } from '../scenario.ts'

const SAMPLE_MS = 1_000
/** Of what the process holds in the second third of the time; the first third is warming up. */
const GROWTH_MAX = 1.1

/** The memory of a process, looked at each second until it is stopped. */
export class MemorySamples {
  readonly megabytes: number[] = []
  readonly #timer: NodeJS.Timeout

  constructor(pid: number) {
    this.#timer = setInterval(() => {
      this.megabytes.push(Math.round(usageOf(pid).rssBytes / 2 ** 20))
    }, SAMPLE_MS)
  }

  /** A sentence when the last third of the time needs more than the one before. */
  stop(): readonly string[] {
    clearInterval(this.#timer)
    const third = Math.floor(this.megabytes.length / 3)
    if (third === 0) return []
    const before = medianAndMost(this.megabytes.slice(third, 2 * third)).median
    const after = medianAndMost(this.megabytes.slice(2 * third)).median
    return after > before * GROWTH_MAX ? [`memory grew from ${before} to ${after} MB`] : []
  }
}
