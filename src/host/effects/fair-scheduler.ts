import { LRUCache } from 'lru-cache'
import type { EffectGate } from '../definition.ts'
import { KindScheduler, type EffectClock, type EffectLimits } from './kind-scheduler.ts'
import { ReceiverPace, Run } from './lanes.ts'
import { QUEUE_FULL_MS } from './not-begun.ts'

/** One try at a time shows when a host that hung is back. */
const FAILING_AT_ONCE_MAX = 1
const FAILURES_MAX = 4
/** A person may be waiting for what is held back. */
const COME_AGAIN_MS_MAX = 60_000
const HOSTS_REMEMBERED_MAX = 10_000

/**
 * How many effects of one kind are performed at once on this node, and how many may wait for it. The organisations are
 * served in rotation, and within the turn of each the hosts that its messages go to: much work of one organisation
 * delays the others by one effect, and hosts that hang keep a part of what their own organisations may have.
 */
export class FairScheduler {
  readonly #limits: EffectLimits
  readonly #kinds = new Map<string, KindScheduler>()
  /** How hosts have answered of late, whatever kind of effect the messages were. */
  readonly #paces = new LRUCache<string, ReceiverPace>({ max: HOSTS_REMEMBERED_MAX })
  readonly #clock: EffectClock
  #tickedMs = 0

  /** Without a clock the time is that of the last tick. */
  constructor(limits: EffectLimits, clock?: EffectClock) {
    this.#limits = limits
    this.#clock = clock ?? { nowMs: () => this.#tickedMs, wanted: () => undefined }
  }

  newRun(kind: string, tenant: string): EffectRun {
    let scheduler = this.#kinds.get(kind)
    if (scheduler === undefined) {
      scheduler = new KindScheduler(this.#limits, (host) => this.#paceOf(host), this.#clock)
      this.#kinds.set(kind, scheduler)
    }
    return new EffectRun(scheduler, tenant)
  }

  /** To be called when it is due: many recipients that hang may hold many slots, but not for long. */
  tick(nowMs: number): void {
    this.#tickedMs = nowMs
    for (const scheduler of this.#kinds.values()) scheduler.tick(nowMs)
  }

  nextMs(nowMs: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const scheduler of this.#kinds.values()) next = Math.min(next, scheduler.nextMs(nowMs))
    return next
  }

  /** Organisations and hosts for which something waits or is under way. */
  get groups(): number {
    return [...this.#kinds.values()].reduce((sum, { groups }) => sum + groups, 0)
  }

  #paceOf(host: string): ReceiverPace {
    const known = this.#paces.get(host)
    if (known !== undefined) return known
    const { effectsAtOnceMax, effectsPerRecipientMax } = this.#limits
    const pace = new ReceiverPace({
      atOnceMax: Math.min(effectsAtOnceMax, effectsPerRecipientMax),
      atOnceFailingMax: FAILING_AT_ONCE_MAX,
      failuresMax: FAILURES_MAX,
      comeAgainMsMax: COME_AGAIN_MS_MAX,
    })
    this.#paces.set(host, pace)
    return pace
  }
}

/** One run of an effect, from its place in a lane to its end. */
export class EffectRun extends Run implements EffectGate {
  readonly #scheduler: KindScheduler
  readonly #tenant: string

  constructor(scheduler: KindScheduler, tenant: string) {
    super()
    this.#scheduler = scheduler
    this.#tenant = tenant
  }

  enter(begin: () => void): number | null {
    this.begin = begin
    return this.#scheduler.enter(this, this.#tenant) ? null : QUEUE_FULL_MS
  }

  leave(failed = false): void {
    this.#scheduler.leave(this, failed)
  }

  forward(recipient: string): Promise<void> | null {
    let resume: (() => void) | null = null
    if (this.#scheduler.forward(this, recipient, () => resume?.())) return null
    return new Promise((resolve) => {
      resume = resolve
    })
  }
}
