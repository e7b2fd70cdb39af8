import { type RecentSlots, readTail } from './shard-log-tail.ts'
import type { ShardLogParts } from './shard-log-takeover.ts'
import type { Forgettable } from './store-port.ts'

type Place = {
  readonly shard: number
  readonly stopped: AbortSignal
  readonly recent: RecentSlots
  /**
   * False as soon as another node may open the shard: it might read the snapshot of a record before a step and its events
   * after it.
   */
  readonly mayAct: () => boolean
}

type Asked = {
  readonly wanted: Forgettable
  readonly answer: (isForgotten: boolean) => void
  readonly fail: (error: Error) => void
}

/** Others who write wait for one such step. */
const AT_ONCE_MAX = 64
/** Where one step was not enough, the next follows sooner than the first came. */
const STEP_PAUSE_MS = 100

const nothing = (): void => {}

/**
 * Lets the events of records go that are over, or that are in a snapshot of one that lives on: many at once, and none that
 * the publisher of the log has not passed or that waits for an operator.
 */
export class ShardLogForgetting {
  readonly #parts: ShardLogParts
  readonly #place: Place
  #asked: Asked[] = []
  #isRunning = false
  #underWay: Promise<void> | null = null

  constructor(parts: ShardLogParts, place: Place) {
    this.#parts = parts
    this.#place = place
  }

  /** Resolves when the step that the store is taking now is over. */
  get underWay(): Promise<void> | null {
    return this.#underWay
  }

  forget(wanted: Forgettable): Promise<boolean> {
    return new Promise((answer, fail) => {
      this.#asked.push({ wanted, answer, fail })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    const { runtime, settings } = this.#parts
    const { stopped } = this.#place
    for (let pauseMs = settings.forgetLingerMs; this.#asked.length > 0; ) {
      const ended = await runtime.sleep(pauseMs, stopped).then(
        () => false,
        () => true,
      )
      const batch = this.#asked.splice(0, ended ? this.#asked.length : AT_ONCE_MAX)
      try {
        stopped.throwIfAborted()
        await this.#forget(batch)
      } catch (error) {
        for (const { fail } of batch) fail(error as Error)
      }
      const isBehind = this.#asked.length >= AT_ONCE_MAX
      pauseMs = isBehind ? Math.min(STEP_PAUSE_MS, settings.forgetLingerMs) : settings.forgetLingerMs
    }
    this.#isRunning = false
  }

  async #forget(batch: readonly Asked[]): Promise<void> {
    const { store, calls, heldOf, settings } = this.#parts
    const { shard, mayAct } = this.#place
    const passedNo = await this.#passedNo()
    // Asked after the position: what the publisher could not read is held before it goes on.
    const held = await heldOf(shard)
    // What goes whole has no event left that could be passed on later.
    const may = ({ actor, atNo, data }: Forgettable): boolean =>
      data === null ? atNo <= passedNo || settings.removesUnpublished : atNo <= passedNo && !held.has(actor)
    const isOurs = mayAct()
    const wanted = batch.map((asked) => asked.wanted).filter((each) => isOurs && may(each))
    if (wanted.length > 0) await this.#step(() => calls.once(() => store.forget(shard, wanted)))
    for (const asked of batch) asked.answer(wanted.includes(asked.wanted))
  }

  async #step(take: () => Promise<void>): Promise<void> {
    const step = take()
    this.#underWay = step.catch(nothing)
    await step.finally(() => {
      this.#underWay = null
    })
  }

  /** Up to this slot the publisher has read everything. */
  async #passedNo(): Promise<number> {
    const { positions, calls, settings } = this.#parts
    const { shard, recent } = this.#place
    const reader = settings.publishedReader
    if (reader === null) return Number.POSITIVE_INFINITY
    const position = await calls.once(() => positions.atLeast(reader, shard))
    const [next] = await readTail(this.#parts, recent, shard, position, 1)
    return next === undefined ? Number.POSITIVE_INFINITY : next.no - 1
  }
}
