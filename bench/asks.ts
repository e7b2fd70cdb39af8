import { defineBenchmark } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import type { PairName } from './subjects/asks-pair.ts'
import { ASK_WARM_UPS, measureRemoteAsks } from './subjects/remote-asks.ts'
import { median } from './harness/statistics.ts'

type Subject = ModuleProcess<typeof import('./subjects/asks-pair.ts')>

const REPLIES = [1_024, 4_096]
const PAIRS: readonly PairName[] = ['no_link', 'bare_socket']
const VERBS = ['ask', 'read'] as const

export const benchmark = defineBenchmark({
  about:
    'An ask of another node beside one of the own: processor time of both sides, by the size of the reply',
  options: {
    rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 2, quick: 0.5, about: 'length of a round' },
    askers: { type: 'number', default: 16, about: 'asks under way at once' },
  },
  bars: {
    remote_ask_over_no_link_1024_cpu_us: { atMost: 74 },
    remote_ask_over_link_1024_cpu_us: { atMost: 120 },
  },
  async run({ options: { rounds, seconds, askers }, open, progress, note }) {
    const figures: Record<string, number> = {}
    for (const bytes of REPLIES) {
      for (const pair of PAIRS) {
        progress(`replies of ${bytes} bytes, ${pair}`)
        const file = new URL('./subjects/asks-pair.ts', import.meta.url)
        const subject: Subject = await open(startProcess<typeof import('./subjects/asks-pair.ts')>(file))
        await subject.call('open', pair, bytes)
        const cpuUs = async (at: 'far' | 'near', verb: 'ask' | 'read'): Promise<number> => {
          const { value, cpuMs } = await subject.call('load', at, verb, askers, seconds * 1_000)
          return (cpuMs * 1_000) / value.asks
        }
        for (const verb of VERBS) {
          const measured = []
          for (let round = -ASK_WARM_UPS; round < rounds; round++) {
            const [near, far] = [await cpuUs('near', verb), await cpuUs('far', verb)]
            if (round >= 0) measured.push({ near, far })
          }
          figures[`own_${verb}_${bytes}_cpu_us`] = median(measured.map(({ near }) => near))
          figures[`remote_${verb}_over_${pair}_${bytes}_cpu_us`] = median(
            measured.map(({ near, far }) => far - near),
          )
        }
        await subject.call('close')
        await subject[Symbol.asyncDispose]()
      }
      progress(`replies of ${bytes} bytes, two processes and the link between nodes`)
      const costs = await measureRemoteAsks({ open }, { rounds, seconds, askers, bytes })
      for (const verb of VERBS) figures[`remote_${verb}_over_link_${bytes}_cpu_us`] = costs[verb].overUs
    }
    note('What is remote is over what is own, both nodes together.')
    note('over_link: nodes in two processes, encryption included; the others are both in one process.')
    return figures
  },
})
