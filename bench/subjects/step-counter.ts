import type { ModuleProcess } from '../../tools/harness/module-process.ts'
import type { ExchangeStage } from './exchange-stage.ts'
import type { ThreadUse } from './thread-messages.ts'

type Service = typeof import('./counted-service.ts')

const OF_SHARDS = ['asks', 'events', 'batches', 'loads'] as const

type Counts = Record<(typeof OF_SHARDS)[number], number> & {
  readonly messages_to_threads: number
  readonly messages_from_threads: number
  readonly message_bytes: number
}

/** What one exchange took, on average. */
export type Steps = Counts & { readonly threads: Readonly<Record<string, ThreadUse>> }

/** What a service takes for its exchanges, from quiet to quiet. */
export class StepCounter {
  readonly #stage: ExchangeStage
  readonly #service: ModuleProcess<Service>

  constructor(stage: ExchangeStage) {
    this.#stage = stage
    // The stage was opened with the service that counts.
    this.#service = stage.parts.service
  }

  /** The work is done twice: counted, and then timed without the counting of bytes. */
  async of(exchanges: number, work: () => Promise<void>): Promise<Steps> {
    await this.#stage.quiet()
    await this.#service.call('measureBytes', true)
    const counts = await growth(() => this.#counts(), this.#calmly(work))
    await this.#service.call('measureBytes', false)
    const before = (await this.#service.call('threadUse')).value
    await this.#calmly(work)()
    const after = (await this.#service.call('threadUse')).value
    const threads = Object.entries(after).map(([name, { cpuMs, waits }]) => {
      const was = before[name] ?? { cpuMs: 0, waits: 0 }
      return [
        name,
        { cpuMs: (cpuMs - was.cpuMs) / exchanges, waits: (waits - was.waits) / exchanges },
      ] as const
    })
    const each = Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, count / exchanges]))
    return { ...(each as Counts), threads: Object.fromEntries(threads) }
  }

  #calmly(work: () => Promise<void>): () => Promise<void> {
    return async () => {
      await work()
      await this.#stage.quiet()
    }
  }

  async #counts(): Promise<Counts> {
    const { toThreads, fromThreads, bytes } = (await this.#service.call('messagesSoFar')).value
    const shards = (await this.#service.call('sumsOfShards', OF_SHARDS)).value
    return {
      ...(shards as Record<(typeof OF_SHARDS)[number], number>),
      messages_to_threads: toThreads,
      messages_from_threads: fromThreads,
      message_bytes: bytes,
    }
  }
}

const growth = async (count: () => Promise<Counts>, work: () => Promise<void>): Promise<Counts> => {
  const before = await count()
  await work()
  const after = await count()
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - before[name as keyof Counts]]),
  ) as Counts
}
