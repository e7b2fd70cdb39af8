import type { Errand } from './errand.ts'
import type { AskSettings } from './settings.ts'

type Bounds = Pick<AskSettings, 'waitingPerShardMax' | 'waitingBytesPerShardMax' | 'waitingBytesMax'>

/** The asks of one shard that wait until somebody serves it, in the order in which they came. */
export class WaitingShard {
  readonly shard: number
  readonly errands: Errand[] = []
  bytes = 0
  isLooking = false
  looks = 0
  nextLookMs: number

  constructor(shard: number, nextLookMs: number) {
    this.shard = shard
    this.nextLookMs = nextLookMs
  }
}

/** What waits on this node, by shard, within its bounds. */
export class WaitingAsks {
  readonly #bounds: Bounds
  readonly #shards = new Map<number, WaitingShard>()
  #bytes = 0
  #count = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  get count(): number {
    return this.#count
  }

  has(shard: number): boolean {
    return this.#shards.has(shard)
  }

  of(shard: number): WaitingShard | undefined {
    return this.#shards.get(shard)
  }

  /** A copy, because a look can end the wait of a shard. */
  shards(): readonly WaitingShard[] {
    return [...this.#shards.values()]
  }

  /** False where there is no room. One that comes back takes the place that it had before those that came after it. */
  add(errand: Errand, nextLookMs: number): boolean {
    const { shard, text } = errand.task
    const found = this.#shards.get(shard)
    const waiting = found ?? new WaitingShard(shard, nextLookMs)
    const { waitingPerShardMax, waitingBytesPerShardMax, waitingBytesMax } = this.#bounds
    if (waiting.errands.length >= waitingPerShardMax) return false
    if (waiting.bytes + text.length > waitingBytesPerShardMax) return false
    if (this.#bytes + text.length > waitingBytesMax) return false
    if (found === undefined) this.#shards.set(shard, waiting)
    let at = waiting.errands.length
    while (at > 0 && (waiting.errands[at - 1]?.order ?? 0) > errand.order) at--
    waiting.errands.splice(at, 0, errand)
    this.#counted(waiting, 1, text.length)
    return true
  }

  /** The first so many of a shard, which wait no longer. */
  take(waiting: WaitingShard, most: number): readonly Errand[] {
    const taken = waiting.errands.splice(0, most)
    for (const { task } of taken) this.#counted(waiting, -1, -task.text.length)
    this.#dropEmpty(waiting)
    return taken
  }

  /** Those whose time is over. */
  takeLate(waiting: WaitingShard, nowMs: number): readonly Errand[] {
    const late = waiting.errands.filter(({ task }) => task.deadlineMs <= nowMs)
    if (late.length === 0) return late
    const left = waiting.errands.filter(({ task }) => task.deadlineMs > nowMs)
    waiting.errands.splice(0, waiting.errands.length, ...left)
    for (const { task } of late) this.#counted(waiting, -1, -task.text.length)
    this.#dropEmpty(waiting)
    return late
  }

  #counted(waiting: WaitingShard, count: number, bytes: number): void {
    waiting.bytes += bytes
    this.#bytes += bytes
    this.#count += count
  }

  #dropEmpty(waiting: WaitingShard): void {
    if (waiting.errands.length === 0) this.#shards.delete(waiting.shard)
  }
}
