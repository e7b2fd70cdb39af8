// Requests that are sent at fixed times, and count from then on: a stall is paid by all that were due in it.
import { askOn, connectTo } from './queue-wait.ts'
import { percentile } from '../harness/statistics.ts'

export type OnTime = {
  readonly port: number
  readonly request: string
  readonly perS: number
  readonly durationMs: number
}

/** So many may be unanswered before the next is late, which counts as waiting too. */
const LANES = 32

export async function run({ port, request, perS, durationMs }: OnTime): Promise<{ readonly p99Ms: number }> {
  const tookMs: number[] = []
  const startedMs = performance.now()
  const lane = async (first: number): Promise<void> => {
    const socket = await connectTo(port)
    for (let at = first; (at * 1_000) / perS < durationMs; at += LANES) {
      const dueMs = startedMs + (at * 1_000) / perS
      await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()))
      await askOn(socket, request)
      tookMs.push(performance.now() - dueMs)
    }
    socket.destroy()
  }
  await Promise.all(Array.from({ length: LANES }, (_, index) => lane(index)))
  return { p99Ms: percentile(tookMs, 99) }
}
