import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const CLOCK = new URL('../../../../tools/campaign/cluster/shifted-clock.ts', import.meta.url).href
const SHIFT_MS = 600_000
const AROUND_MS = 60_000

/** Tells what a thread and the main thread of a process take for the time, in every way there is to ask. */
const TOLD = `
const told = () => [Date.now(), new Date().getTime(), +new Date(), Date.parse(Date()), new Date(5).getTime(), new Date() instanceof Date]
const { Worker, isMainThread, parentPort } = require('node:worker_threads')
new Worker('require("node:worker_threads").parentPort.postMessage((' + told + ')())', { eval: true })
  .once('message', (inThread) => console.log(JSON.stringify([told(), inThread])))
`

describe('a process whose clock is ahead', () => {
  it('takes it for the time in every thread, however it asks', async () => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SHIFT_MS: String(SHIFT_MS) }
    const { stdout } = await promisify(execFile)(process.execPath, ['-e', TOLD], { env })
    const threads = JSON.parse(stdout) as [number[], number[]]
    for (const [now, made, number, parsed, given, isDate] of threads) {
      for (const time of [now, made, number, parsed])
        expect(Math.abs((time ?? 0) - Date.now() - SHIFT_MS)).toBeLessThan(AROUND_MS)
      expect(given).toBe(5)
      expect(isDate).toBe(true)
    }
  })
})
