// Requests that are sent at fixed times, and count from then on: a stall is paid by all that were due in it.
import { Agent, get } from 'node:http'
import { percentile } from '../harness/statistics.ts'

export type OnTime = {
  readonly port: number
  readonly path: string
  readonly perS: number
  readonly durationMs: number
}

export type Waited = { readonly p99Ms: number; readonly failed: number }

/** What is not answered so long after the last request counts as long as it was waited for. */
const PATIENCE_MS = 30_000

export async function run({ port, path, perS, durationMs }: OnTime): Promise<Waited> {
  const agent = new Agent({ keepAlive: true, maxSockets: 32 })
  const signal = AbortSignal.timeout(durationMs + PATIENCE_MS)
  const tookMs: number[] = []
  let failed = 0
  const ask = (dueMs: number): Promise<void> =>
    new Promise((resolve) => {
      let isOver = false
      const end = (isServed: boolean): void => {
        if (isOver) return
        isOver = true
        tookMs.push(performance.now() - dueMs)
        if (!isServed) failed += 1
        resolve()
      }
      const asked = get({ port, path, agent, signal }, (answer) => {
        answer.resume()
        answer.once('close', () => end(answer.complete && answer.statusCode === 200))
      })
      asked.on('error', () => end(false))
    })
  const startedMs = performance.now()
  const asked: Promise<void>[] = []
  for (let dueMs = startedMs; dueMs < startedMs + durationMs; dueMs += 1_000 / perS) {
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()))
    asked.push(ask(dueMs))
  }
  await Promise.all(asked)
  agent.destroy()
  return { p99Ms: percentile(tookMs, 99), failed }
}
