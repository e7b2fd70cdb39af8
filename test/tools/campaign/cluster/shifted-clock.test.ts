import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../../temporary-folder.ts'

const CLOCK = new URL('../../../../tools/campaign/cluster/shifted-clock.ts', import.meta.url).href
const SHIFT_MS = 600_000
const AROUND_MS = 60_000

/** Each thread tells what it takes for the time, in every way there is to ask. */
const TOLD = `
import { isMainThread, Worker } from 'node:worker_threads'
console.log(JSON.stringify([
  Date.now(), new Date().getTime(), +new Date(), Date.parse(Date()), new Date(5).getTime(), new Date() instanceof Date,
]))
if (isMainThread) new Worker(new URL(import.meta.url))
`

describe('a process whose clock is ahead', () => {
  it('takes it for the time in every thread, however it asks', async () => {
    const env = { ...process.env, NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_SHIFT_MS: String(SHIFT_MS) }
    const file = join(temporaryFolder('vouchsafe-clock'), 'told.mjs')
    writeFileSync(file, TOLD)
    const { stdout } = await promisify(execFile)(process.execPath, [file], { env })
    const threads = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as number[])
    expect(threads).toHaveLength(2)
    for (const [now, made, number, parsed, given, isDate] of threads) {
      for (const time of [now, made, number, parsed])
        expect(Math.abs((time ?? 0) - Date.now() - SHIFT_MS)).toBeLessThan(AROUND_MS)
      expect(given).toBe(5)
      expect(isDate).toBe(true)
    }
  })
})
