import { LinkedList, type Linked } from '../linked-list.ts'

/** A run in line or with a slot. */
export class Run implements Linked<Run> {
  /** While it has a slot: whose, and of which host where it is on its way to one. */
  tenant: TenantLanes | null = null
  host: HostSlots | null = null
  begin: (() => void) | null = null
  previous: Run | null = null
  next: Run | null = null
  sentMs = 0
  isSlow = false
}

/** What one organisation has waiting for one host, or for its beginning; first come, first served. */
export class Lane {
  readonly tenant: TenantLanes
  /** Null for runs that have not begun. */
  readonly host: HostSlots | null
  readonly waiting = new LinkedList<Run>()
  waitingCount = 0

  constructor(tenant: TenantLanes, host: HostSlots | null) {
    this.tenant = tenant
    this.host = host
  }

  /** False while the host has as much as it may have at once. */
  get mayGo(): boolean {
    return this.waitingCount > 0 && (this.host === null || this.host.hasRoom)
  }
}

/** One host, among all organisations that write to it. */
export class HostSlots {
  readonly key: string
  readonly pace: ReceiverPace
  /** Lanes in which something waits for it, in rotation. */
  readonly lanes = new Set<Lane>()
  running = 0

  constructor(key: string, pace: ReceiverPace) {
    this.key = key
    this.pace = pace
  }

  get hasRoom(): boolean {
    return this.running < this.pace.atOnce
  }
}

/** One organisation, or one shard for what belongs to none: a lane for what begins, and one for each host that it waits for. */
export class TenantLanes {
  readonly key: string
  readonly beginning = new Lane(this, null)
  readonly toHosts = new Map<string, Lane>()
  /** Lanes whose next run may go as far as its host is concerned, in rotation. */
  readonly ready = new Set<Lane>()
  waitingCount = 0
  /** Slots that it has; those of slow messages are counted apart. */
  running = 0
  /** Of these, messages on their way. */
  sending = 0
  slow = 0

  constructor(key: string) {
    this.key = key
  }

  get isEmpty(): boolean {
    return this.waitingCount === 0 && this.running === 0 && this.slow === 0
  }

  laneTo(host: HostSlots): Lane {
    const known = this.toHosts.get(host.key)
    if (known !== undefined) return known
    const lane = new Lane(this, host)
    this.toHosts.set(host.key, lane)
    return lane
  }

  push(lane: Lane, run: Run): void {
    lane.waiting.push(run)
    lane.waitingCount++
    this.waitingCount++
    lane.host?.lanes.add(lane)
    this.place(lane)
  }

  /** The rest of the lane comes after all other lanes of the organisation, and after those of others to the same host. */
  shift(lane: Lane): Run | null {
    const run = lane.waiting.shift()
    if (run === null) return null
    lane.waitingCount--
    this.waitingCount--
    this.ready.delete(lane)
    lane.host?.lanes.delete(lane)
    if (lane.waitingCount > 0) lane.host?.lanes.add(lane)
    else if (lane.host !== null) this.toHosts.delete(lane.host.key)
    this.place(lane)
    return run
  }

  /** A lane that stays ready keeps its place in the rotation. */
  place(lane: Lane): void {
    if (lane.mayGo) this.ready.add(lane)
    else this.ready.delete(lane)
  }
}

type PaceLimits = {
  /** What may be under way at once to one receiver. */
  readonly atOnceMax: number
  /** The same while the receiver fails every time. */
  readonly atOnceFailingMax: number
  /** Failures in a row after which it counts as failing. */
  readonly failuresMax: number
  /** After which time at the latest what found no place comes again. */
  readonly comeAgainMsMax: number
}

const COME_AGAIN_MS = 5_000
const FIRST_GUESS_MS = 200

/**
 * What one receiver outside may be asked at once: a breaker that leaves a few tries, so that it notices by itself when
 * the receiver is back. What finds no place gets a time to come again, as late as the receiver's own pace suggests: a
 * long backlog asks no more often than it is worked off.
 */
export class ReceiverPace {
  readonly #limits: PaceLimits
  #failures = 0
  #durationMs = FIRST_GUESS_MS
  #promisedMs = 0

  constructor(limits: PaceLimits) {
    this.#limits = limits
  }

  get isFailing(): boolean {
    return this.#failures >= this.#limits.failuresMax
  }

  get atOnce(): number {
    const { atOnceFailingMax, atOnceMax } = this.#limits
    return this.isFailing ? Math.min(atOnceFailingMax, atOnceMax) : atOnceMax
  }

  note(accepted: boolean, durationMs: number): void {
    this.#failures = accepted ? 0 : this.#failures + 1
    this.#durationMs += (durationMs - this.#durationMs) / 8
  }

  /** How long so many take that wait already. */
  workedOffInMs(count: number): number {
    return (count * this.#durationMs) / this.atOnce
  }

  comeAgainInMs(nowMs: number, leastMs: number = COME_AGAIN_MS): number {
    const nextMs = this.#promisedMs + this.#durationMs / this.atOnce
    const latestMs = nowMs + this.#limits.comeAgainMsMax
    this.#promisedMs = Math.min(latestMs, Math.max(nowMs + leastMs, nextMs))
    return Math.round(this.#promisedMs - nowMs)
  }
}
