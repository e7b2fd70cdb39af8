/** How many commands may wait; what comes beyond is refused at the door instead of making everything late. */
export type AdmissionLimits = {
  readonly actorQueueMax: number
  readonly shardQueueMax: number
  /** Most of a shard's queue that one tenant may fill. */
  readonly tenantSharePercent: number
}

export type Refusal = 'actor-full' | 'shard-full' | 'tenant-full'

export const refusalReasons: Readonly<Record<Refusal, string>> = {
  'actor-full': 'too many commands wait for this record',
  'shard-full': 'too many commands wait here',
  'tenant-full': "this organisation's share of the queue is full",
}

type Share = { readonly tenant: string; waiting: number }

/** Tenants that a shard remembers although nothing of theirs waits. */
const SHARES_MIN = 64

/** Counts the commands of one shard that were admitted and not answered yet. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #tenantMax: number
  readonly #shares = new Map<string, Share>()
  #lastShare: Share | null = null
  #sharesMax = SHARES_MIN
  #waiting = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
    this.#tenantMax = Math.max(1, Math.floor((limits.shardQueueMax * limits.tenantSharePercent) / 100))
  }

  get waiting(): number {
    return this.#waiting
  }

  admit(tenant: string | null, waitingForActor: number): Refusal | null {
    if (waitingForActor >= this.#limits.actorQueueMax) return 'actor-full'
    if (this.#waiting >= this.#limits.shardQueueMax) return 'shard-full'
    if (tenant !== null) {
      const share = this.#shareOf(tenant)
      if (share.waiting >= this.#tenantMax) return 'tenant-full'
      share.waiting++
    }
    this.#waiting++
    return null
  }

  release(tenant: string | null): void {
    this.#waiting--
    if (tenant !== null) this.#shareOf(tenant).waiting--
  }

  /** Mostly that of the command before. */
  #shareOf(tenant: string): Share {
    if (this.#lastShare?.tenant === tenant) return this.#lastShare
    let share = this.#shares.get(tenant)
    if (share === undefined) {
      if (this.#shares.size >= this.#sharesMax) this.#forgetIdle()
      share = { tenant, waiting: 0 }
      this.#shares.set(tenant, share)
    }
    this.#lastShare = share
    return share
  }

  /** Not at each last answer: a map that something comes to and leaves all the time is made anew again and again. */
  #forgetIdle(): void {
    for (const { tenant, waiting } of this.#shares.values()) if (waiting === 0) this.#shares.delete(tenant)
    this.#sharesMax = Math.max(SHARES_MIN, 2 * this.#shares.size)
  }
}
