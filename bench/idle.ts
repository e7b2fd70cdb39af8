import { defineBenchmark } from './harness/benchmark.ts'
import { childrenOf, threadsCpuMs } from './harness/process-usage.ts'
import { median } from './harness/statistics.ts'
import type { ModuleProcess } from '../tools/harness/module-process.ts'
import { openStage } from './subjects/exchange-stage.ts'
import type { ThreadUse } from './subjects/thread-messages.ts'

type Service = typeof import('./subjects/counted-service.ts')
type Uses = Readonly<Record<string, ThreadUse>>

export const benchmark = defineBenchmark({
  about: 'What a service takes that is asked nothing, thread by thread',
  options: {
    exchanges: {
      type: 'number',
      default: 0,
      about: 'issuances before, so that there is something to forget',
    },
    settle: { type: 'number', default: 120, quick: 75, about: 'seconds until it counts' },
    seconds: { type: 'number', default: 60, quick: 20, about: 'seconds that count' },
  },
  bars: { idle_cpu_ms_per_s: { atMost: 3 } },
  async run({ options, open, progress, table, note }) {
    const serviceFile = new URL('./subjects/counted-service.ts', import.meta.url)
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce: 4,
      publish: true,
      prepared: true,
      serviceFile,
    })
    const service = stage.parts.service as ModuleProcess<Service>
    if (options.exchanges > 0) {
      const wallets = await stage.connect(4)
      const round = Array.from({ length: options.exchanges }, (_, index) => wallets[index % 4] ?? '')
      await stage.issue(round)
    }
    progress('coming to rest')
    await pause(options.settle)
    const before = (await service.call('threadUse')).value
    const ofSecond = await secondBySecond(service.pid, options.seconds)
    const rows = ofThreads(before, (await service.call('threadUse')).value, options.seconds)
    table(
      'Threads, per second',
      rows.map(({ thread, ms, waits }) => ({ thread, ms: ms.toFixed(2), waits: waits.toFixed(1) })),
    )
    note(`Second by second, ms: ${ofSecond.map((ms) => ms.toFixed(1)).join(' ')}`)
    note(
      'A collection of the heap, which a start or a load leaves behind, is in single seconds; what polls is in all.',
    )
    return {
      idle_cpu_ms_per_s: ofSecond.reduce((sum, ms) => sum + ms, 0) / options.seconds,
      median_ms_per_s: median(ofSecond),
      waits_per_s: rows.reduce((sum, { waits }) => sum + waits, 0),
    }
  },
})

const pause = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Of the service and the processes that it has started, the sandbox ledger's apart. */
const secondBySecond = async (pid: number, seconds: number): Promise<readonly number[]> => {
  const children = childrenOf(pid).filter(({ command }) => !command.includes('pool-process'))
  const pids = [pid, ...children.map((child) => child.pid)]
  const spentMs = (): number => pids.reduce((sum, each) => sum + threadsCpuMs(each), 0)
  const ofSecond: number[] = []
  let last = spentMs()
  while (ofSecond.length < seconds) {
    await pause(1)
    const now = spentMs()
    ofSecond.push(now - last)
    last = now
  }
  return ofSecond
}

const ofThreads = (before: Uses, after: Uses, seconds: number) =>
  Object.entries(after).map(([thread, { cpuMs, waits }]) => ({
    thread,
    ms: (cpuMs - (before[thread]?.cpuMs ?? 0)) / seconds,
    waits: (waits - (before[thread]?.waits ?? 0)) / seconds,
  }))
