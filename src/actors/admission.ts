/** How many commands may wait; what comes beyond is refused at the door instead of making everything late. */
export type AdmissionLimits = {
  readonly actorQueueMax: number
  readonly shardQueueMax: number
  /** Most of a shard's queue that one tenant may fill. */
  readonly tenantSharePercent: number
}

export type Refusal = 'actor-full' | 'shard-full' | 'tenant-full'

/** Counts the commands of one shard that were admitted and not answered yet. */
export class Admission {
  readonly #limits: AdmissionLimits
  readonly #tenantMax: number
  readonly #tenants = new Map<string, number>()
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
      const ofTenant = this.#tenants.get(tenant) ?? 0
      if (ofTenant >= this.#tenantMax) return 'tenant-full'
      this.#tenants.set(tenant, ofTenant + 1)
    }
    this.#waiting++
    return null
  }

  release(tenant: string | null): void {
    this.#waiting--
    if (tenant === null) return
    const left = (this.#tenants.get(tenant) ?? 1) - 1
    if (left === 0) this.#tenants.delete(tenant)
    else this.#tenants.set(tenant, left)
  }
}
