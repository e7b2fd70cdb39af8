import { defineBenchmark } from './harness/benchmark.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'

type Exchange = 'issuance' | 'verification'

const SETTLE_LIMIT_MS = 240_000
const SETTLE_POLL_MS = 5_000

export const benchmark = defineBenchmark({
  about: 'Durable bytes of a complete issuance and of a verification: under way, done, and forgotten',
  options: {
    exchanges: {
      type: 'number',
      default: 1_500,
      quick: 400,
      about: 'exchanges that are measured, of each kind',
    },
    warm: {
      type: 'number',
      default: 400,
      quick: 100,
      about: 'exchanges before that, after which it is steady',
    },
    connections: { type: 'number', default: 50, about: 'over which they run' },
    at_once: { type: 'number', default: 32, about: 'exchanges under way at a time' },
  },
  bars: {
    issuance_running_kb: { atMost: 40 },
    issuance_done_kb: { atMost: 8 },
    verification_running_kb: { atMost: 40 },
    verification_done_kb: { atMost: 8 },
  },
  async run({ options, open, progress, table, note }) {
    const stage = await openStage(open, { engine: 'auto', atOnce: options.at_once, publish: true })
    const connections = await stage.connect(options.connections)
    const run = async (kind: Exchange, count: number): Promise<void> => {
      for (let done = 0; done < count; done += connections.length) {
        const some = connections.slice(0, Math.min(connections.length, count - done))
        await (kind === 'issuance' ? stage.issue(some) : stage.verify(some))
      }
    }
    const figures: Record<string, number> = {}
    for (const kind of ['issuance', 'verification'] as const) {
      await run(kind, options.warm)
      const before = await settled(stage)
      progress(`${kind}: ${Math.round(before.total / 1_024)} KB at the beginning`)
      await run(kind, options.exchanges)
      const running = await sizes(stage)
      const done = await settled(stage)
      const each = (after: number, first: number): number => (after - first) / 1_024 / options.exchanges
      figures[`${kind}_running_kb`] = each(running.total, before.total)
      figures[`${kind}_done_kb`] = each(done.total, before.total)
      table(
        `KB for each ${kind} that is done`,
        Object.entries(done.parts).map(([part, bytes]) => ({
          part,
          kb: each(bytes, before.parts[part] ?? 0).toFixed(2),
        })),
      )
    }
    note('Pages in use of the files of journal, keys and lists; free pages take what comes next.')
    note('forgotten_kb: nothing is erased here yet.')
    return figures
  },
})

type Stored = { readonly total: number; readonly parts: Readonly<Record<string, number>> }

const sizes = async (stage: ExchangeStage): Promise<Stored> =>
  (await stage.parts.service.call('storedBytes')).value

/** When nothing more is given back: folding, retirement and sweeping are behind. */
const settled = async (stage: ExchangeStage): Promise<Stored> => {
  const endMs = performance.now() + SETTLE_LIMIT_MS
  await new Promise((resolve) => setTimeout(resolve, 75_000))
  let last = await sizes(stage)
  while (performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, SETTLE_POLL_MS))
    const now = await sizes(stage)
    if (now.total >= last.total) return now
    last = now
  }
  return last
}
