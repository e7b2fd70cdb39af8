// The service that `front-door.ts` starts, in a process whose event loop is watched.
import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks'

export { start } from './front-door.ts'

export type LoopDelay = {
  /** From one look to the next, the millisecond between them included. */
  readonly p999Ms: number
  readonly maxMs: number
  /** The main thread's processor time between two looks: the same on a machine that is busy with other things. */
  readonly workP999Ms: number
  readonly workMaxMs: number
}

const delay = monitorEventLoopDelay({ resolution: 1 })
const work = createHistogram()
let looking: NodeJS.Timeout | undefined

/** From here on, the event loop is looked at every millisecond in which it has time. */
export function watchLoop(): void {
  delay.reset()
  delay.enable()
  work.reset()
  let before = workedMicros()
  looking = setInterval(() => {
    const now = workedMicros()
    work.record(Math.max(1, now - before))
    before = now
  }, 1)
}

export function loopDelay(): LoopDelay {
  delay.disable()
  clearInterval(looking)
  return {
    p999Ms: delay.percentile(99.9) / 1e6,
    maxMs: delay.max / 1e6,
    workP999Ms: work.percentile(99.9) / 1e3,
    workMaxMs: work.max / 1e3,
  }
}

const workedMicros = (): number => {
  const { user, system } = process.threadCpuUsage()
  return user + system
}
