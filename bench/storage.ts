import { shardOfActor } from '../src/domain/references.ts'
import { type BenchmarkContext, defineBenchmark } from './harness/benchmark.ts'
import type { OptionValues } from './harness/options.ts'
import { type ExchangeStage, openStage } from './subjects/exchange-stage.ts'
import { engineOption } from './subjects/journal-conditions.ts'
import type { StoredBytes } from './subjects/stored-bytes.ts'
import { openStoredInCassandra, type StoredInCassandra } from './subjects/stored-in-cassandra.ts'

const KINDS = ['issuance', 'verification'] as const
/** What `done` costs is looked at a minute later; what is folded then was over for 40 seconds at most. */
const DONE_MS = 60_000
const SETTLE_LIMIT_MS = 1_800_000
const SETTLE_POLL_MS = 5_000
/** Records are folded up to 40 seconds later, and the file is swept half a minute after its last pass. */
const SETTLED_MS = 90_000
const RETIRED_SEGMENTS = 2
const RETENTION_MS = 91 * 86_400_000
const RECORDS_PER_SECOND = '1000'

const options = {
  engine: engineOption,
  exchanges: {
    type: 'number',
    default: 1_500,
    quick: 400,
    about: 'exchanges that are measured, of each kind',
  },
  connections: {
    type: 'number',
    default: 50,
    about: 'over which they run; few on Cassandra, whose segments are large',
  },
  at_once: { type: 'number', default: 32, about: 'exchanges under way at a time' },
} as const

type Context = BenchmarkContext<OptionValues<typeof options>>

export const benchmark = defineBenchmark({
  about: 'Durable bytes of a complete issuance and of a verification: under way, done, and forgotten',
  options,
  bars: Object.fromEntries(
    KINDS.flatMap((kind) => [
      [`${kind}_running_kb`, { atMost: 40 }],
      [`${kind}_done_kb`, { atMost: 8 }],
      [`${kind}_forgotten_kb`, { atMost: 1.5 }],
    ]),
  ),
  async run(context) {
    const { open, progress, table, note } = context
    const { engine, exchanges, at_once: atOnce } = context.options
    const cassandra = engine === 'cassandra' ? await open(openStoredInCassandra()) : null
    const environment = {
      ...cassandra?.environment,
      VOUCHSAFE_RETENTION_RECORDS_PER_SECOND_MAX: RECORDS_PER_SECOND,
    }
    const stage = await openStage(open, {
      engine: 'auto',
      atOnce,
      publish: true,
      environment,
    })
    const storage = new Storage(context, stage, cassandra)
    await storage.connect()
    const figures: Record<string, number> = {}
    for (const kind of KINDS) {
      await storage.steady(kind)
      const before = await storage.forgotten()
      progress(`${kind}: ${Math.round(before.total / 1_024)} KB at the beginning`)
      const running = await storage.running(kind, exchanges)
      const between = await storage.forgotten()
      await storage.exchange(kind, exchanges)
      await passed(DONE_MS)
      const done = await storage.now()
      const forgotten = await storage.forgotten()
      const each = (after: number, first = 0): number => (after - first) / 1_024 / exchanges
      figures[`${kind}_running_kb`] = each(running.total, before.total)
      figures[`${kind}_done_kb`] = each(done.total, between.total)
      figures[`${kind}_forgotten_kb`] = each(forgotten.total, between.total)
      table(
        `KB for each ${kind}`,
        Object.keys({ ...running.parts, ...done.parts })
          .map((part) => ({
            part,
            running: each(running.parts[part] ?? 0, before.parts[part]).toFixed(2),
            done: each(done.parts[part] ?? 0, between.parts[part]).toFixed(2),
            forgotten: each(forgotten.parts[part] ?? 0, between.parts[part]).toFixed(2),
          }))
          .filter((row) => [row.running, row.done, row.forgotten].some((kb) => kb !== '0.00')),
      )
    }
    note(
      'Running: an offer with its signed credential that no wallet has acknowledged; a request for a proof.',
    )
    note('Pages in use of the files of journal, keys and lists; free pages take what comes next.')
    if (cassandra !== null)
      note(
        'Cassandra after flush and compaction, tombstones whose grace is over gone, without the log itself.',
      )
    return figures
  },
})

/** A service whose every shard in use has retired segments of its log, and what it has stored. */
class Storage {
  readonly #context: Context
  readonly #stage: ExchangeStage
  readonly #cassandra: StoredInCassandra | null
  #connections: readonly string[] = []
  #shards: readonly number[] = []

  constructor(context: Context, stage: ExchangeStage, cassandra: StoredInCassandra | null) {
    this.#context = context
    this.#stage = stage
    this.#cassandra = cassandra
  }

  async connect(): Promise<void> {
    const { connections } = this.#context.options
    this.#connections = await this.#stage.connect(connections)
    this.#shards = [...new Set(this.#connections.map(shardOfActor))]
    // A verification needs a credential.
    await this.#stage.issue(this.#connections)
  }

  async exchange(kind: (typeof KINDS)[number], count: number): Promise<void> {
    const { connections, at_once: atOnce } = this.#context.options
    const over = this.#over(Math.max(connections, atOnce))
    for (let done = 0; done < count; done += over.length) {
      const some = over.slice(0, count - done)
      await (kind === 'issuance' ? this.#stage.issue(some) : this.#stage.verify(some))
    }
  }

  /** All of them under way at a time, when the service has done all that it can do for them; then each comes to its end. */
  async running(kind: (typeof KINDS)[number], count: number): Promise<StoredBytes> {
    const held = await this.#stage.hold(kind, this.#over(count))
    await this.#stage.quiet()
    this.#context.progress(`${kind}: ${count} are under way`)
    const running = await this.now()
    await held.release()
    return running
  }

  #over(count: number): readonly string[] {
    return Array.from({ length: count }, (_, at) => this.#connections[at % this.#connections.length] ?? '')
  }

  async steady(kind: (typeof KINDS)[number]): Promise<void> {
    const { connections, at_once: atOnce } = this.#context.options
    for (let done = 0; ; ) {
      const round = Math.max(connections, atOnce)
      await this.exchange(kind, round)
      done += round
      const retired = await this.#retiredMin()
      this.#context.progress(`${kind}: every shard has retired ${retired} segments after ${done}`)
      if (retired >= RETIRED_SEGMENTS) return
    }
  }

  async now(): Promise<StoredBytes> {
    const own = await this.#own()
    return this.#cassandra === null ? own : await this.#cassandra.with(own)
  }

  /** The retention of all that is finished is over, swept, and what may go has gone. */
  async forgotten(): Promise<StoredBytes> {
    const { service } = this.#stage.parts
    const finishedMs = (await service.call('forward', RETENTION_MS)).value
    const endMs = performance.now() + SETTLE_LIMIT_MS
    while ((await service.call('unswept', finishedMs)).value > 0) {
      if (performance.now() > endMs) throw new Error('retention does not come to an end')
      await passed(SETTLE_POLL_MS)
    }
    let least = await this.now()
    for (let sinceMs = performance.now(); performance.now() < Math.min(endMs, sinceMs + SETTLED_MS); ) {
      await passed(SETTLE_POLL_MS)
      const now = await this.now()
      if (now.total >= least.total) continue
      least = now
      sinceMs = performance.now()
    }
    return least
  }

  async #own(): Promise<StoredBytes> {
    return (await this.#stage.parts.service.call('storedBytes', this.#shards)).value
  }

  async #retiredMin(): Promise<number> {
    if (this.#cassandra !== null) return await this.#cassandra.retiredMin(this.#shards)
    return (await this.#own()).retiredMin
  }
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
