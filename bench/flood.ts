import { defineBenchmark } from './harness/benchmark.ts'
import { median, percentile } from './harness/statistics.ts'
import type { Signature } from './subjects/signing-host.ts'
import { startProcess } from '../tools/harness/module-process.ts'

type Subject = typeof import('./subjects/signing-host.ts')

const FLOODING = 'ten_00flooding'
const SINGLE = 'ten_00single'
const PAUSE_MS = 20

export const benchmark = defineBenchmark({
  about:
    'How long one signature of an organisation waits while others owe thousands, and whether all have their turns',
  options: {
    offers: {
      type: 'number',
      default: 5_000,
      quick: 600,
      about: 'signatures that one organisation owes at once',
    },
    singles: { type: 'number', default: 100, quick: 20, about: 'of another, one after the other' },
    organisations: { type: 'number', default: 100, about: 'that owe at the same time' },
    of_each: { type: 'number', default: 50, quick: 6, about: 'signatures that each of these owes' },
  },
  bars: { wait_p99_to_service_p99_ratio: { atMost: 2 }, turns_apart_max: { atMost: 2 } },
  async run({ options, open, progress, note }) {
    const file = new URL('./subjects/signing-host.ts', import.meta.url)
    const host = await open(startProcess<Subject>(file, { callTimeoutMs: 1_800_000 }))
    const { workers } = (await host.call('start')).value
    await open({ [Symbol.asyncDispose]: async () => void (await host.call('stop')) })
    await host.call('owe', [FLOODING], 50)
    await host.call('settled')
    progress(`one organisation owes ${options.offers} signatures`)
    await host.call('owe', [FLOODING], options.offers)
    await host.call('single', SINGLE, options.singles, PAUSE_MS)
    const flood = (await host.call('settled')).value
    progress(`${options.organisations} organisations owe ${options.of_each} each`)
    const names = Array.from({ length: options.organisations }, (_, index) => `ten_00organisation${index}`)
    await host.call('owe', names, options.of_each)
    await host.call('single', SINGLE, Math.ceil(options.singles / 20), PAUSE_MS)
    const crowd = (await host.call('settled')).value
    const services = flood.map(({ begunMs, signedMs }) => signedMs - begunMs)
    const waits = waitsOf(flood)
    const besideMany = waitsOf(crowd)
    note(
      `Waiting: from the place in line, after the commit, until one of ${workers} threads takes the signature on.`,
    )
    note('Service time: from there to its result, of all signatures of the flood. A wait is made of service')
    note('times, so its p99 is compared with theirs. turns_apart_max: the most signatures by which one')
    note('organisation was ahead of another while both had work left.')
    return {
      wait_p99_to_service_p99_ratio: percentile(waits, 99) / percentile(services, 99),
      wait_p50_to_service_p50_ratio: median(waits) / median(services),
      turns_apart_max: turnsApart(crowd, options.of_each),
      service_p50_ms: median(services),
      service_p99_ms: percentile(services, 99),
      wait_p50_ms: median(waits),
      wait_p99_ms: percentile(waits, 99),
      wait_max_ms: Math.max(...waits),
      singles_beside_flood: waits.length,
      flood_wait_p50_ms: median(flood.filter(isOf(FLOODING)).map(waitOf)),
      wait_beside_many_max_ms: Math.max(...besideMany),
      signatures_per_s: (flood.length * 1_000) / lengthMs(flood),
    }
  },
})

const isOf =
  (name: string) =>
  ({ tenant }: Signature): boolean =>
    tenant === name

const waitOf = ({ owedMs, begunMs }: Signature): number => begunMs - owedMs

/** Of the single ones that came before the last of the others had begun. */
const waitsOf = (signatures: readonly Signature[]): readonly number[] => {
  const others = signatures.filter(({ tenant }) => tenant !== SINGLE)
  const lastMs = Math.max(...others.map(({ begunMs }) => begunMs))
  return signatures.filter((each) => each.tenant === SINGLE && each.owedMs < lastMs).map(waitOf)
}

const lengthMs = (signatures: readonly Signature[]): number =>
  Math.max(...signatures.map(({ signedMs }) => signedMs)) -
  Math.min(...signatures.map(({ owedMs }) => owedMs))

/** Counted from the moment when all of them have something owed, until the first has nothing left. */
const turnsApart = (signatures: readonly Signature[], ofEach: number): number => {
  const others = signatures.filter(({ tenant }) => tenant !== SINGLE)
  const begun = new Map<string, number>(others.map(({ tenant }) => [tenant, 0]))
  const firstOwed = new Map<string, number>()
  for (const { tenant, owedMs } of others)
    firstOwed.set(tenant, Math.min(firstOwed.get(tenant) ?? Infinity, owedMs))
  const allOweMs = Math.max(...firstOwed.values())
  const total = new Map(begun)
  let apart = 0
  for (const { tenant, begunMs } of others.toSorted((left, right) => left.begunMs - right.begunMs)) {
    total.set(tenant, (total.get(tenant) ?? 0) + 1)
    if (begunMs < allOweMs) continue
    const count = (begun.get(tenant) ?? 0) + 1
    begun.set(tenant, count)
    if (total.get(tenant) === ofEach) break
    apart = Math.max(apart, count - Math.min(...begun.values()))
  }
  return apart
}
