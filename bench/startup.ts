import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineBenchmark } from './harness/benchmark.ts'
import { type BenchProcess, startProcess } from './harness/process.ts'
import { median } from './harness/statistics.ts'

type Module = typeof import('./subjects/measured-host.ts')

const EVENTS_PER_ACTOR = 5

export const benchmark = defineBenchmark({
  about: 'Start over a large journal: every shard taken over and the first command answered',
  options: {
    actors: {
      type: 'number',
      default: 1_000_000,
      quick: 50_000,
      about: 'actors in the journal, five events each',
    },
    starts: { type: 'number', default: 5, quick: 3, about: 'starts, of which the median counts' },
  },
  bars: { ready_s: { atMost: 3 } },
  async run({ options: { actors, starts }, open, progress, note }) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-startup-'))
    await open({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
    const start = (): Promise<BenchProcess<Module>> =>
      startProcess<Module>(new URL('./subjects/measured-host.ts', import.meta.url), {
        nodeArgs: ['--expose-gc'],
        callTimeoutMs: 3_600_000,
      })
    const filling = await start()
    await filling.call('open', folder, { residentMax: 2_000_000 })
    for (let round = 1; round <= EVENTS_PER_ACTOR; round++) {
      progress(`event ${round} of ${EVENTS_PER_ACTOR} of ${actors} actors`)
      await filling.call('each', 0, actors, { type: 'Deposit', amount: 1 })
    }
    await filling.call('close')
    await filling[Symbol.asyncDispose]()
    const readyMs: number[] = []
    const firstAskMs: number[] = []
    for (let index = 0; index < starts; index++) {
      progress(`start ${index + 1} of ${starts}`)
      const subject = await start()
      readyMs.push((await subject.call('open', folder, {})).value.readyMs)
      firstAskMs.push((await subject.call('coldAskMs', Math.floor((actors * index) / starts))).value)
      await subject.call('close')
      await subject[Symbol.asyncDispose]()
    }
    note('The process itself and its modules are loaded before the clock starts.')
    return {
      ready_s: median(readyMs) / 1_000,
      first_ask_ms: median(firstAskMs),
      events_in_journal: actors * EVENTS_PER_ACTOR,
    }
  },
})
