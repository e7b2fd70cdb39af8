import type { LocalActors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { backoffMs } from '../../timing/backoff.ts'
import { LongestWait, type AskCounts } from './ask-counts.ts'
import { Errand, type ErrandTask } from './errand.ts'
import { FoundOwners } from './found-owners.ts'
import type { OtherNodes, Outcome } from './other-nodes.ts'
import { overloaded, unavailable, type AskSettings } from './settings.ts'
import { WaitingAsks, type WaitingShard } from './waiting-asks.ts'

export type RouterParts = {
  readonly self: string
  readonly local: LocalActors
  readonly nodes: OtherNodes
  readonly map: ShardMapView
  readonly runtime: Runtime
  readonly settings: AskSettings
}

/** How exactly pauses and deadlines are kept while something waits. */
const TICK_MS = 10
const LATE_GRAIN_MS = 100
/** A shard that was looked for so often in vain may be where only a newer map says. */
const LOOKS_BEFORE_NEW_MAP = 3

const NOT_IN_TIME = 'no node answered for the record in time'
const FULL = 'too many requests wait for a part of the service that moves'

/**
 * Brings each errand to whoever serves its shard, within its deadline. Tries that end without an outcome come again
 * under the same command id; while nobody serves the shard its errands wait, and are let go, in their order, only when a
 * node says that it serves it.
 */
export class AskRouter {
  readonly #parts: RouterParts
  readonly #owners: FoundOwners
  readonly #waiting: WaitingAsks
  readonly #longest = new LongestWait()
  readonly #stop = new AbortController()
  #ticking: Promise<void> | null = null
  #lateAtMs = 0
  #orders = 0
  #sums = { retries: 0, waits: 0, waitedMs: 0, overloaded: 0 }

  constructor(parts: RouterParts) {
    this.#parts = parts
    this.#owners = new FoundOwners(parts.self, parts.map)
    this.#waiting = new WaitingAsks(parts.settings)
  }

  hasWaiting(shard: number): boolean {
    return this.#waiting.has(shard)
  }

  run(task: ErrandTask): Promise<unknown> {
    const errand = new Errand(task, ++this.#orders)
    const node = this.#waiting.has(task.shard) ? null : this.#owners.nodeFor(task.shard)
    if (this.#stop.signal.aborted) errand.fail(unavailable('this node stops'))
    else if (node === null) this.#wait(errand, this.#nowMs())
    else this.#send(errand, node)
    return errand.answer
  }

  /** These shards are served here from now on: what waited for them goes first. */
  opened(shards: Iterable<number>): void {
    for (const shard of shards) this.#letGoHere(shard)
  }

  /** Something has changed that may end a wait: another map, a connection. */
  lookNow(): void {
    for (const waiting of this.#waiting.shards()) {
      waiting.nextLookMs = 0
      waiting.looks = 0
      this.#look(waiting)
    }
  }

  counts(): Pick<
    AskCounts,
    'retries' | 'waits' | 'waitedMs' | 'overloaded' | 'longestWaitMs' | 'waitingNow'
  > {
    const longestWaitMs = this.#longest.atMs(this.#nowMs())
    return { ...this.#sums, longestWaitMs, waitingNow: this.#waiting.count }
  }

  async stop(): Promise<void> {
    this.#stop.abort(STOPPED)
    for (const waiting of this.#waiting.shards())
      for (const errand of this.#waiting.take(waiting, waiting.errands.length))
        errand.fail(unavailable('this node stops'))
    await this.#ticking
  }

  #nowMs(): number {
    return this.#parts.runtime.monotonicMs()
  }

  #send(errand: Errand, node: string): void {
    const remainingMs = errand.task.deadlineMs - this.#nowMs()
    if (remainingMs <= 0) this.#end(errand, () => errand.fail(unavailable(NOT_IN_TIME)))
    else if (!this.#parts.nodes.hasRoom(node)) this.#refuse(errand)
    else
      void this.#parts.nodes
        .ask(node, errand.task.text, remainingMs)
        .then((outcome) => this.#outcome(errand, node, outcome))
  }

  #sendHere(errand: Errand): void {
    const remainingMs = errand.task.deadlineMs - this.#nowMs()
    if (remainingMs <= 0) this.#end(errand, () => errand.fail(unavailable(NOT_IN_TIME)))
    else
      void this.#parts.nodes
        .askHere(() => errand.task.here(remainingMs))
        .then((outcome) => this.#outcome(errand, this.#parts.self, outcome))
  }

  #outcome(errand: Errand, node: string, outcome: Outcome): void {
    if (outcome.is === 'reply') return this.#end(errand, () => errand.succeed(outcome.reply))
    if (outcome.is === 'failure') return this.#end(errand, () => errand.fail(outcome.error))
    this.#sums.retries++
    this.#owners.notAt(errand.task.shard, node)
    const version = outcome.is === 'not_owner' ? outcome.mapVersion : 0
    if (version > this.#parts.map.current().version) this.#readMap(version)
    const { pauses } = this.#parts.settings
    this.#wait(errand, this.#nowMs() + backoffMs(pauses, 1, this.#parts.runtime.random()))
  }

  #wait(errand: Errand, nextLookMs: number): void {
    const nowMs = this.#nowMs()
    errand.waitsSinceMs ??= nowMs
    if (this.#stop.signal.aborted) errand.fail(unavailable('this node stops'))
    else if (errand.task.deadlineMs <= nowMs) this.#end(errand, () => errand.fail(unavailable(NOT_IN_TIME)))
    else if (!this.#waiting.add(errand, nextLookMs)) this.#refuse(errand)
    else this.#ticking ??= this.#tick()
  }

  #refuse(errand: Errand): void {
    this.#sums.overloaded++
    this.#end(errand, () => errand.fail(overloaded(FULL)))
  }

  #end(errand: Errand, settle: () => void): void {
    if (errand.waitsSinceMs !== null) {
      const nowMs = this.#nowMs()
      const waitedMs = nowMs - errand.waitsSinceMs
      this.#sums.waits++
      this.#sums.waitedMs += waitedMs
      this.#longest.ended(waitedMs, nowMs)
    }
    settle()
  }

  /** Runs only while something waits. */
  async #tick(): Promise<void> {
    const { signal } = this.#stop
    while (this.#waiting.count > 0 && !signal.aborted) {
      await this.#parts.runtime.sleep(TICK_MS, signal).catch(() => undefined)
      if (signal.aborted) break
      this.#failLate()
      for (const waiting of this.#waiting.shards()) this.#look(waiting)
    }
    this.#ticking = null
  }

  #failLate(): void {
    const nowMs = this.#nowMs()
    if (nowMs < this.#lateAtMs) return
    this.#lateAtMs = nowMs + LATE_GRAIN_MS
    for (const waiting of this.#waiting.shards())
      for (const errand of this.#waiting.takeLate(waiting, nowMs))
        this.#end(errand, () => errand.fail(unavailable(NOT_IN_TIME)))
  }

  /** Asks a node whether it serves the shard, and lets go what waits when it says so. */
  #look(waiting: WaitingShard): void {
    const { shard } = waiting
    if (this.#parts.local.takes(shard)) return this.#letGoHere(shard)
    const nowMs = this.#nowMs()
    if (waiting.isLooking || nowMs < waiting.nextLookMs) return
    waiting.looks++
    const { pauses, lookTimeoutMs } = this.#parts.settings
    waiting.nextLookMs = nowMs + backoffMs(pauses, waiting.looks, this.#parts.runtime.random())
    if (waiting.looks % LOOKS_BEFORE_NEW_MAP === 0) this.#readMap()
    const candidates = this.#owners.candidates(shard)
    const node = candidates[waiting.looks % Math.max(1, candidates.length)]
    if (node === undefined) return
    waiting.isLooking = true
    void this.#parts.nodes.look(node, shard, lookTimeoutMs).then((outcome) => {
      waiting.isLooking = false
      if (outcome.is === 'reply') this.#letGoTo(shard, node)
      else if (outcome.is === 'not_owner' && outcome.mapVersion > this.#parts.map.current().version)
        this.#readMap(outcome.mapVersion)
    })
  }

  #letGoTo(shard: number, node: string): void {
    if (!this.#owners.foundAt(shard, node)) this.#readMap()
    const waiting = this.#waiting.of(shard)
    // What is left when the node has no room stays in its order, and goes after the next look.
    if (waiting !== undefined)
      for (const errand of this.#waiting.take(waiting, this.#parts.nodes.roomOf(node)))
        this.#send(errand, node)
  }

  #letGoHere(shard: number): void {
    const waiting = this.#waiting.of(shard)
    if (waiting === undefined || !this.#parts.local.takes(shard)) return
    for (const errand of this.#waiting.take(waiting, waiting.errands.length)) this.#sendHere(errand)
  }

  /** A map that cannot be read now is read again by a later look. */
  #readMap(atLeastVersion?: number): void {
    this.#parts.map.refreshed(atLeastVersion).then(
      () => undefined,
      () => undefined,
    )
  }
}

/** Created once: each abort would make an error with its stack. */
const STOPPED = new Error('asks are no longer routed')
