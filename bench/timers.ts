import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defineBenchmark } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'

type Module = typeof import('./subjects/measured-host.ts')
type Subject = ModuleProcess<Module>

const BURST = 10_000
const BURST_LIMIT_MS = 60_000
const LEAD_MS = 4_000
const DAY_MS = 86_400_000

export const benchmark = defineBenchmark({
  about:
    'Timers: memory of a million pending ones, ten thousand due at once, ten thousand overdue at a restart',
  options: {
    pending: { type: 'number', default: 1_000_000, quick: 100_000, about: 'timers inside the loaded window' },
    far: { type: 'number', default: 100_000, quick: 20_000, about: 'timers of 30 days, outside the window' },
  },
  bars: {
    mb_per_million: { atMost: 200 },
    far_timers_loaded: { atMost: 0 },
    burst_10k_s: { atMost: 5 },
    overdue_fired_least: { atLeast: 1 },
    overdue_fired_most: { atMost: 1 },
  },
  async run({ options: { pending, far }, open, progress, note }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-timers-'))
    await open({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
    const start = (): Promise<Subject> =>
      open(
        startProcess<Module>(new URL('./subjects/measured-host.ts', import.meta.url), {
          nodeArgs: ['--expose-gc'],
          callTimeoutMs: 1_200_000,
        }),
      )
    const subject = await start()
    progress(`setting ${pending} timers`)
    const memory = await measureMemory(subject, join(folder, 'pending'), pending, far)
    progress(`${BURST} due at the same second`)
    const burst = await measureBurst(subject, join(folder, 'burst'))
    progress(`a restart with ${BURST} overdue`)
    const overdue = await measureOverdue(subject, join(folder, 'overdue'))
    note('The burst is measured from the due second until the last row is acknowledged, after its commit.')
    return { ...memory, ...burst, ...overdue }
  },
})

/** The same file opened with a window of nothing and with the real one: the difference is what the timers cost. */
async function measureMemory(subject: Subject, folder: string, pending: number, far: number) {
  const limits = { timersLoadedMax: pending * 2, residentMax: 2_000 }
  await subject.call('open', folder, { ...limits, timerWindowMs: 1 })
  // Setting a million takes a while; none may come due before it was counted.
  const dueMs = Date.now() + Math.max(1_800_000, pending)
  const windowMs = dueMs + 60_000 - Date.now()
  await subject.call('each', 0, pending, { type: 'SetAlarm', dueMs })
  await subject.call('each', pending, far, { type: 'SetAlarm', dueMs: dueMs + 30 * DAY_MS })
  await subject.call('close')

  await subject.call('open', folder, { ...limits, timerWindowMs: 1 })
  const { value: without } = await subject.call('memory')
  await subject.call('close')
  await subject.call('open', folder, { ...limits, timerWindowMs: windowMs })
  const startMs = performance.now()
  await subject.call('untilLoaded', pending)
  const loadedMs = performance.now() - startMs
  const { value: inside } = await subject.call('memory')
  await subject.call('close')
  return {
    mb_per_million: (inside.heapBytes - without.heapBytes) / pending,
    far_timers_loaded: inside.timersLoaded - pending,
    load_s: loadedMs / 1_000,
  }
}

async function measureBurst(subject: Subject, folder: string) {
  await subject.call('open', folder, {})
  const dueMs = Date.now() + LEAD_MS + 8_000
  await subject.call('each', 0, BURST, { type: 'SetAlarm', dueMs })
  const aheadMs = dueMs - Date.now()
  if (aheadMs < 0) throw new Error('setting the timers took longer than they were ahead')
  await pause(aheadMs)
  const { value: lateMs } = await subject.call('untilFired', dueMs)
  if (lateMs > BURST_LIMIT_MS) throw new Error('the burst did not end')
  const { value: rung } = await subject.call('rungEach', 0, BURST)
  await subject.call('close')
  return { burst_10k_s: lateMs / 1_000, burst_fired_least: rung.least, burst_fired_most: rung.most }
}

async function measureOverdue(subject: Subject, folder: string) {
  await subject.call('open', folder, {})
  const dueMs = Date.now() + 8_000
  await subject.call('each', 0, BURST, { type: 'SetAlarm', dueMs })
  await subject.call('close')
  await pause(Math.max(0, dueMs - Date.now()) + 1_000)
  const startMs = Date.now()
  await subject.call('open', folder, {})
  await subject.call('untilFired', dueMs)
  const endMs = Date.now()
  const { value: rung } = await subject.call('rungEach', 0, BURST)
  await subject.call('close')
  return {
    overdue_10k_s: (endMs - startMs) / 1_000,
    overdue_fired_least: rung.least,
    overdue_fired_most: rung.most,
  }
}
