import { LRUCache } from 'lru-cache'
import { shardDigits } from '../../domain/references.ts'
import { AskFailed } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ShardMapView } from '../../ports/shard-map.ts'
import { errorOf, type Fact, type LendAnswer } from './fact-messages.ts'
import type { FactSettings } from './settings.ts'

export type CopiesPorts = {
  readonly runtime: Pick<Runtime, 'monotonicMs' | 'sleep'>
  /** The time that leases are counted in: never less has passed than on the owner's clock. */
  readonly leaseNowMs: () => number
  readonly map: Pick<ShardMapView, 'ownerOf' | 'refreshed'>
  /** Rejects where the node did not answer. */
  readonly lend: (node: string, fact: Fact, timeoutMs: number) => Promise<Lent>
}

/** An answer with the bytes that it came in. */
export type Lent = { readonly answer: LendAnswer; readonly bytes: number }

type Copy = { readonly value: unknown; readonly untilMs: number; readonly bytes: number; renewMs: number }

/** One fact that is being asked for. */
type Question = {
  /** What is on its way may be what was before a change. */
  isRecalled: boolean
  readonly running: Promise<unknown>
  /** For those who came while it was running, where its answer is without a lease. */
  next: Promise<unknown> | null
}

const RETRY_AFTER_MS = 1_000

/** Created once: each abort would make an error with its stack. */
const STOPPED = new Error('copies are no longer kept')

/** The reader's side: copies of what other nodes own, each for the time of its lease. */
export class FactCopies {
  readonly #ports: CopiesPorts
  readonly #settings: FactSettings
  readonly #copies: LRUCache<string, Copy>
  readonly #questions = new Map<string, Question>()
  /** As many as kinds have views. */
  readonly #views = new Set<string>()
  readonly #stop = new AbortController()
  #isSweeping = false

  constructor(ports: CopiesPorts, settings: FactSettings) {
    this.#ports = ports
    this.#settings = settings
    this.#copies = new LRUCache({
      max: settings.copiesMax,
      maxSize: settings.copiesBytesMax,
      sizeCalculation: ({ bytes }) => bytes,
    })
  }

  get size(): { readonly copies: number; readonly bytes: number; readonly asked: number } {
    return { copies: this.#copies.size, bytes: this.#copies.calculatedSize, asked: this.#questions.size }
  }

  /** Undefined where there is no copy that may be used now. */
  kept(actor: string, view: string): unknown {
    const copy = this.#copies.get(keyOf(actor, view))
    if (copy === undefined) return undefined
    const nowMs = this.#ports.leaseNowMs()
    if (nowMs >= copy.untilMs) return undefined
    if (nowMs >= copy.renewMs) this.#renew({ actor, view }, copy, nowMs)
    return copy.value
  }

  /** Asks the owner. Rejects with AskFailed where that brings no answer. */
  ask(actor: string, view: string): Promise<unknown> {
    const fact = { actor, view }
    const question = this.#questions.get(keyOf(actor, view))
    if (question === undefined) return this.#begin(fact)
    // Asked before this read: what comes without a lease may have changed before it.
    return question.running.then(() => {
      const value = this.kept(actor, view)
      if (value !== undefined) return value
      question.next ??= this.ask(actor, view)
      return question.next
    })
  }

  /** All that is kept of the actor goes, and what is on its way is not kept. */
  drop(actor: string): void {
    for (const view of this.#views) {
      const key = keyOf(actor, view)
      this.#copies.delete(key)
      const question = this.#questions.get(key)
      if (question !== undefined) question.isRecalled = true
    }
  }

  stop(): void {
    this.#stop.abort(STOPPED)
    this.#copies.clear()
  }

  #renew(fact: Fact, copy: Copy, nowMs: number): void {
    if (this.#questions.has(keyOf(fact.actor, fact.view))) return
    copy.renewMs = nowMs + this.#settings.retryMsMax
    this.#begin(fact).catch(() => undefined)
  }

  #begin(fact: Fact): Promise<unknown> {
    const key = keyOf(fact.actor, fact.view)
    this.#views.add(fact.view)
    const { promise: running, resolve, reject } = Promise.withResolvers<unknown>()
    const question: Question = { isRecalled: false, running, next: null }
    this.#questions.set(key, question)
    this.#find(fact, question)
      .finally(() => this.#questions.delete(key))
      .then(resolve, reject)
    return running
  }

  async #find(fact: Fact, question: Question): Promise<unknown> {
    const { runtime, leaseNowMs } = this.#ports
    const { readTimeoutMs, retryMs, retryMsMax } = this.#settings
    const endMs = runtime.monotonicMs() + readTimeoutMs
    for (let pauseMs = retryMs; ; pauseMs = Math.min(pauseMs * 2, retryMsMax)) {
      question.isRecalled = false
      const sentMs = leaseNowMs()
      const lent = await this.#askOwner(fact, endMs - runtime.monotonicMs())
      if (lent?.answer.is === 'failed') throw errorOf(lent.answer)
      if (lent?.answer.is === 'lent' && this.#isGood(question, sentMs)) {
        this.#keep(fact, lent.answer, lent.bytes, sentMs)
        return lent.answer.value
      }
      const leftMs = endMs - runtime.monotonicMs()
      if (leftMs <= 0) throw new AskFailed('unavailable', 'the owner cannot be asked', RETRY_AFTER_MS)
      if (question.isRecalled) continue
      await runtime.sleep(Math.min(pauseMs, leftMs))
      const version = lent?.answer.is === 'elsewhere' ? lent.answer.mapVersion : undefined
      await this.#ports.map.refreshed(version).catch(() => undefined)
    }
  }

  /** Null where no answer came. */
  async #askOwner(fact: Fact, leftMs: number): Promise<Lent | null> {
    const { map, lend } = this.#ports
    const owner = map.ownerOf(shardDigits(fact.actor))
    if (owner === null) return null
    const timeoutMs = Math.max(1, Math.min(this.#settings.requestTimeoutMs, leftMs))
    return lend(owner, fact, timeoutMs).catch(() => null)
  }

  /** Nothing has called it back, and nothing is used that is older than a copy may be. */
  #isGood({ isRecalled }: Question, sentMs: number): boolean {
    return !isRecalled && this.#ports.leaseNowMs() < sentMs + this.#settings.leaseMs
  }

  #keep(
    { actor, view }: Fact,
    { value, leaseMs }: LendAnswer & { readonly is: 'lent' },
    bytes: number,
    sentMs: number,
  ): void {
    const untilMs = sentMs + Math.min(leaseMs, this.#settings.leaseMs)
    const renewMs = sentMs + Math.min(leaseMs / 2, this.#settings.renewAfterMs)
    if (leaseMs > 0 && !this.#stop.signal.aborted) {
      this.#copies.set(keyOf(actor, view), { value, untilMs, bytes, renewMs })
      if (!this.#isSweeping) void this.#sweep()
    } else this.#copies.delete(keyOf(actor, view))
  }

  /** What must not be used any more does not stay in memory. Runs only while there are copies. */
  async #sweep(): Promise<void> {
    const { runtime, leaseNowMs } = this.#ports
    const { signal } = this.#stop
    this.#isSweeping = true
    while (this.#copies.size > 0 && !signal.aborted) {
      await runtime.sleep(this.#settings.sweepMs, signal).catch(() => undefined)
      const nowMs = leaseNowMs()
      for (const [key, { untilMs }] of this.#copies) if (nowMs >= untilMs) this.#copies.delete(key)
    }
    this.#isSweeping = false
  }
}

const keyOf = (actor: string, view: string): string => `${actor} ${view}`
