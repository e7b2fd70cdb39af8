type Kept = { readonly tenant: string; readonly bytes: number; readonly untilMs: number }

type Wanted = Omit<Kept, 'bytes'> & { readonly checkId: string; readonly bytes: number }

/** A place among the images, until the check is decided. */
type ImagePlace = { readonly leave: () => void }

/** Sealed texts are a third longer than what they hold. */
const SEALED = 4 / 3

/**
 * How much all images of checks under way may take together, as this node has let them in; one organisation fills half
 * of it at most. What is not said to have left has left with the end of its time.
 */
export class ImageRoom {
  readonly #bytesMax: number
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()
  readonly #byTenant = new Map<string, number>()
  #bytes = 0

  constructor(bytesMax: number, now: () => number) {
    this.#bytesMax = bytesMax
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Null where there is no room. A check that comes again keeps its place. */
  take({ checkId, tenant, bytes: plain, untilMs }: Wanted): ImagePlace | null {
    const place = { leave: () => this.left(checkId) }
    if (this.#kept.has(checkId)) return place
    const bytes = Math.ceil(plain * SEALED)
    if (!this.#has(tenant, bytes)) {
      this.#dropExpired()
      if (!this.#has(tenant, bytes)) return null
    }
    this.#kept.set(checkId, { tenant, bytes, untilMs })
    this.#add(tenant, bytes)
    return place
  }

  left(checkId: string): void {
    const kept = this.#kept.get(checkId)
    if (kept === undefined) return
    this.#kept.delete(checkId)
    this.#add(kept.tenant, -kept.bytes)
  }

  #has(tenant: string, bytes: number): boolean {
    const ofTenant = this.#byTenant.get(tenant) ?? 0
    return this.#bytes + bytes <= this.#bytesMax && ofTenant + bytes <= this.#bytesMax / 2
  }

  #add(tenant: string, bytes: number): void {
    this.#bytes += bytes
    const ofTenant = (this.#byTenant.get(tenant) ?? 0) + bytes
    if (ofTenant > 0) this.#byTenant.set(tenant, ofTenant)
    else this.#byTenant.delete(tenant)
  }

  #dropExpired(): void {
    const nowMs = this.#now()
    for (const [checkId, { untilMs }] of this.#kept) if (untilMs <= nowMs) this.left(checkId)
  }
}
