/** How many commands may wait: more are refused at the door, instead of making all of them late. */
export type AdmissionLimits = {
  readonly actorQueueMax: number
  readonly shardQueueMax: number
  /** Most of a shard's queue that one tenant may fill. */
  readonly tenantSharePercent: number
}

type AdmissionFull = 'actor-full' | 'shard-full' | 'tenant-full'

export const refusalReasons: Readonly<Record<AdmissionFull, string>> = {
  'actor-full': 'too many commands wait for this record',
  'shard-full': 'too many commands wait here',
  'tenant-full': "this organisation's share of the queue is full",
}

/** Counts the commands of one shard that were admitted and not answered yet. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #tenantMax: number
  readonly #waitingOf = new Map<string, number>()
  #waiting = 0

  constructor(limits: AdmissionLimits) {
    this.#limits = limits
    this.#tenantMax = Math.max(1, Math.floor((limits.shardQueueMax * limits.tenantSharePercent) / 100))
  }

  get waiting(): number {
    return this.#waiting
  }

  admit(tenant: string | null, waitingForActor: number): AdmissionFull | null {
    if (waitingForActor >= this.#limits.actorQueueMax) return 'actor-full'
    if (this.#waiting >= this.#limits.shardQueueMax) return 'shard-full'
    if (tenant !== null) {
      const waiting = this.#waitingOf.get(tenant) ?? 0
      if (waiting >= this.#tenantMax) return 'tenant-full'
      this.#waitingOf.set(tenant, waiting + 1)
    }
    this.#waiting++
    return null
  }

  release(tenant: string | null): void {
    this.#waiting--
    if (tenant === null) return
    const waiting = (this.#waitingOf.get(tenant) ?? 0) - 1
    if (waiting > 0) this.#waitingOf.set(tenant, waiting)
    else this.#waitingOf.delete(tenant)
  }
}
