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
  /** How often it is asked about once more before the answer is no. */
  asksLeft: number
}

/** Others who write wait for one such step; so many folds at most are to be asked about again. */
const AT_ONCE_MAX = 64
/** Where one step was not enough, the next follows sooner than the first came. */
const STEP_PAUSE_MS = 100
/** A record that lives on is folded only some hundred events later again, so a publisher that is behind is waited for. */
const ASK_AGAIN_MS = 6_000
const ASKS_AGAIN = 2

const nothing = (): void => {}
const NONE: ReadonlySet<string> = new Set()

const goingWhole = (asked: readonly Asked[]): ReadonlySet<string> =>
  new Set(asked.flatMap(({ wanted: { actor, data } }) => (data === null ? [actor] : [])))

/**
 * Lets the events of records go that are over, or that are in a snapshot of one that lives on: many at once, and none that
 * the publisher of the log has not passed or that waits for an operator.
 */
export class ShardLogForgetting {
  readonly #parts: ShardLogParts
  readonly #place: Place
  #asked: Asked[] = []
  /** Folds of records that live on which were refused: those that rest, and those that are asked about in the next step. */
  readonly #resting = new Set<Asked>()
  readonly #again = new Set<Asked>()
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

  /** Of a record that is over. Where the answer is no its host asks again. */
  forget(wanted: Forgettable): Promise<boolean> {
    if (wanted.data === null) this.#giveUpFoldsOf(wanted.actor)
    return this.#ask(wanted, 0)
  }

  /** Of a record that lives on, whose snapshot is durable. */
  fold(wanted: Omit<Forgettable, 'data'>): Promise<boolean> {
    return this.#ask(wanted, ASKS_AGAIN)
  }

  #ask(wanted: Forgettable, asksLeft: number): Promise<boolean> {
    return new Promise((answer, fail) => {
      this.#asked.push({ wanted, answer, fail, asksLeft })
      if (!this.#isRunning) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    const { runtime, settings } = this.#parts
    const { stopped } = this.#place
    for (let pauseMs = settings.forgetLingerMs; this.#asked.length + this.#again.size > 0; ) {
      const ended = await runtime.sleep(pauseMs, stopped).then(
        () => false,
        () => true,
      )
      const batch = this.#take(ended ? Number.POSITIVE_INFINITY : AT_ONCE_MAX)
      try {
        stopped.throwIfAborted()
        this.#refuse(batch, await this.#forget(batch), null)
      } catch (error) {
        if (stopped.aborted) for (const { fail } of batch) fail(error as Error)
        else this.#refuse(batch, batch, error as Error)
      }
      const isBehind = this.#asked.length >= AT_ONCE_MAX
      pauseMs = isBehind ? Math.min(STEP_PAUSE_MS, settings.forgetLingerMs) : settings.forgetLingerMs
    }
    this.#isRunning = false
  }

  /** What is asked about again fills up a step, and holds up nothing else. */
  #take(max: number): readonly Asked[] {
    const batch = this.#asked.splice(0, max)
    for (const each of this.#again) {
      if (batch.length >= max) break
      this.#again.delete(each)
      batch.push(each)
    }
    return batch
  }

  /** Answers whoever is forgotten, and gives back the others. */
  async #forget(batch: readonly Asked[]): Promise<readonly Asked[]> {
    const { store, calls, heldOf, settings } = this.#parts
    const { shard, mayAct } = this.#place
    const passedNo = await this.#passedNo()
    // Asked after the position: what the publisher could not read is held before it goes on.
    const held = await heldOf(shard)
    // What goes whole has no event left that could be passed on later.
    const may = ({ actor, atNo, data }: Forgettable): boolean =>
      data === null ? atNo <= passedNo || settings.removesUnpublished : atNo <= passedNo && !held.has(actor)
    const isOurs = mayAct()
    const allowed = new Set(batch.filter(({ wanted }) => isOurs && may(wanted)))
    const wanted = [...allowed].map((asked) => asked.wanted)
    if (wanted.length > 0) await this.#step(() => calls.once(() => store.forget(shard, wanted)))
    for (const asked of allowed) asked.answer(true)
    return batch.filter((asked) => !allowed.has(asked))
  }

  /** A fold rests first. One of the others hears why, because each of them would report the same. */
  #refuse(batch: readonly Asked[], refused: readonly Asked[], why: Error | null): void {
    const folds = refused.filter(({ asksLeft }) => asksLeft > 0)
    const whole = folds.length > 0 ? goingWhole([...batch, ...this.#asked]) : NONE
    const room = AT_ONCE_MAX - this.#resting.size - this.#again.size
    const resting = new Set(folds.filter(({ wanted }) => !whole.has(wanted.actor)).slice(0, room))
    const [first, ...others] = refused.filter((each) => !resting.has(each))
    if (why === null) first?.answer(false)
    else first?.fail(why)
    for (const { answer } of others) answer(false)
    if (resting.size > 0) void this.#rest(resting)
  }

  async #rest(folds: ReadonlySet<Asked>): Promise<void> {
    for (const each of folds) this.#resting.add(each)
    const ended = await this.#parts.runtime.sleep(ASK_AGAIN_MS, this.#place.stopped).then(
      () => false,
      () => true,
    )
    for (const each of folds) {
      if (!this.#resting.delete(each)) continue
      each.asksLeft--
      if (ended) each.answer(false)
      else this.#again.add(each)
    }
    if (this.#again.size > 0 && !this.#isRunning) void this.#run()
  }

  /** What goes whole may begin anew, and an earlier fold says nothing of its new events. */
  #giveUpFoldsOf(actor: string): void {
    for (const folds of [this.#resting, this.#again])
      for (const each of folds) if (each.wanted.actor === actor && folds.delete(each)) each.answer(false)
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
    const position = await calls.once(() => positions.passedAtLeast(reader, shard))
    const [next] = await readTail(this.#parts, recent, shard, position, 1)
    return next === undefined ? Number.POSITIVE_INFINITY : next.no - 1
  }
}
