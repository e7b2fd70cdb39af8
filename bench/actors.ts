import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineBenchmark } from './harness/benchmark.ts'
import { type ModuleProcess, startProcess } from '../tools/harness/module-process.ts'
import { median } from './harness/statistics.ts'

type Subject = ModuleProcess<typeof import('./subjects/measured-host.ts')>

const RESIDENTS = 20_000
const HISTORIES = [10, 1_000, 100_000]

export const benchmark = defineBenchmark({
  about:
    'Actors in memory: bytes of a resident, asks without persistence, cold recovery, a million touched once',
  options: {
    rounds: { type: 'number', default: 7, quick: 3, about: 'rounds, of which the median counts' },
    seconds: { type: 'number', default: 3, quick: 1, about: 'length of a round' },
    touched: {
      type: 'number',
      default: 1_000_000,
      quick: 60_000,
      about: 'distinct actors that are touched once',
    },
    history: { type: 'number', default: 100_000, quick: 10_000, about: 'events of the oldest actor' },
  },
  bars: {
    bytes_per_resident: { atMost: 3_072 },
    recovery_ratio: { atMost: 3 },
    touched_heap_growth_mb: { atMost: 16 },
    touched_residents_max: { atMost: RESIDENTS * 1.1 },
  },
  async run({ options: { rounds, seconds, touched, history }, open, progress, note }) {
    const start = (): Promise<Subject> =>
      open(
        startProcess<typeof import('./subjects/measured-host.ts')>(
          new URL('./subjects/measured-host.ts', import.meta.url),
          { nodeArgs: ['--expose-gc'], callTimeoutMs: 1_200_000 },
        ),
      )
    const folder = mkdtempSync(join(tmpdir(), 'bench-actors-'))
    await open({ [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) })
    progress('residents')
    const residents = await measureResidents(await start(), rounds, seconds)
    progress('cold recovery')
    const histories = HISTORIES.map((events) => Math.min(events, history))
    const recovery = await measureRecovery(await start(), join(folder, 'recovery'), histories, rounds)
    progress(`${touched} actors, each touched once`)
    const crowd = await measureCrowd(await start(), join(folder, 'crowd'), touched)
    note('Bytes of a resident include its state (an object of two numbers) and one remembered command.')
    return { ...residents, ...recovery, ...crowd }
  },
})

async function measureResidents(subject: Subject, rounds: number, seconds: number) {
  await subject.call('open', null, { residentMax: 4 * RESIDENTS })
  // The first ones pay for what is made once.
  await subject.call('each', 0, 1_000, { type: 'Deposit', amount: 1 })
  const { value: before } = await subject.call('memory')
  await subject.call('each', 1_000, RESIDENTS, { type: 'Deposit', amount: 1 })
  const { value: after } = await subject.call('memory')
  const measured = []
  for (let round = 0; round < rounds; round++) {
    const { value, cpuMs } = await subject.call('load', 1_024, RESIDENTS, seconds * 1_000)
    measured.push({ perS: value.perS, cpuUs: (cpuMs * 1_000) / value.asks })
  }
  await subject.call('close')
  return {
    bytes_per_resident: (after.heapBytes - before.heapBytes) / (after.residents - before.residents),
    asks_per_s: median(measured.map(({ perS }) => perS)),
    ask_cpu_us: median(measured.map(({ cpuUs }) => cpuUs)),
  }
}

/** Each round is a new start on the same file, so that nothing of ours is warm. */
async function measureRecovery(
  subject: Subject,
  folder: string,
  histories: readonly number[],
  rounds: number,
) {
  await subject.call('open', folder, {})
  for (const [actor, events] of histories.entries()) await subject.call('grow', actor, events)
  await subject.call('close')
  const times = histories.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const actor of histories.keys()) {
      await subject.call('open', folder, {})
      times[actor]?.push((await subject.call('coldAskMs', actor)).value)
      await subject.call('close')
    }
  }
  const figures: Record<string, number> = {}
  const medians = times.map((each) => median(each))
  for (const [actor, events] of histories.entries())
    figures[`recovery_${events}_events_ms`] = medians[actor] ?? 0
  return { ...figures, recovery_ratio: (medians.at(-1) ?? 0) / (medians[0] ?? 1) }
}

async function measureCrowd(subject: Subject, folder: string, touched: number) {
  await subject.call('open', folder, { residentMax: RESIDENTS })
  const step = Math.ceil(touched / 10)
  const heaps: number[] = []
  const rss: number[] = []
  let residentsMax = 0
  let perS = 0
  for (let first = 0; first < touched; first += step) {
    const { value } = await subject.call('each', first, Math.min(step, touched - first), {
      type: 'Deposit',
      amount: 1,
    })
    perS = value.perS
    const { value: memory } = await subject.call('memory')
    heaps.push(memory.heapBytes)
    rss.push(memory.rssBytes)
    residentsMax = Math.max(residentsMax, memory.residents)
  }
  await subject.call('close')
  const full = heaps.findIndex((_, index) => (index + 1) * step >= RESIDENTS)
  return {
    touched_heap_growth_mb: ((heaps.at(-1) ?? 0) - (heaps[full] ?? 0)) / 1e6,
    touched_rss_growth_mb: ((rss.at(-1) ?? 0) - (rss[full] ?? 0)) / 1e6,
    touched_residents_max: residentsMax,
    touched_per_s: perS,
  }
}
