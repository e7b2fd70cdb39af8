import pLimit from 'p-limit'

type Kept = {
  readonly tenant: string
  readonly bytes: number
  readonly untilMs: number
  /** That waits for the check of this image. */
  readonly exchangeId: string
  readonly sinceMs: number
}

type Wanted = Pick<Kept, 'tenant' | 'untilMs' | 'exchangeId'> & {
  readonly checkId: string
  readonly bytes: number
}

/** A place among the images, until the check is decided. */
type ImagePlace = { readonly leave: () => void }

/** Sealed texts are a third longer than what they hold. */
const SEALED = 4 / 3
/** The check of a younger one may not have begun yet. */
const LOOKED_AT_AFTER_MS = 60_000
const LOOK_PAUSE_MS = 5_000
const LOOKED_AT_MAX = 1_000
const LOOKS_AT_ONCE = 32

/**
 * How much all images of checks under way may take together, as this node has let them in; one organisation fills half
 * of it at most. That an image has left is heard on the node where its check is, which may be another: so those that are
 * here for long are looked at before somebody is sent away. What nobody says anything of leaves with the end of its time.
 */
export class ImageRoom {
  readonly #bytesMax: number
  readonly #now: () => number
  /** The oldest, or longest looked at, first. */
  readonly #kept = new Map<string, Kept>()
  readonly #byTenant = new Map<string, number>()
  #bytes = 0
  #looking: Promise<void> | null = null
  #lookedAtMs = Number.NEGATIVE_INFINITY

  constructor(bytesMax: number, now: () => number) {
    this.#bytesMax = bytesMax
    this.#now = now
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Null where there is no room. A check that comes again keeps its place. */
  take({ checkId, bytes: plain, ...wanted }: Wanted): ImagePlace | null {
    const { tenant } = wanted
    const place = { leave: () => this.left(checkId) }
    if (this.#kept.has(checkId)) return place
    const bytes = Math.ceil(plain * SEALED)
    if (!this.#has(tenant, bytes)) {
      this.#dropExpired()
      if (!this.#has(tenant, bytes)) return null
    }
    this.#kept.set(checkId, { ...wanted, bytes, sinceMs: this.#now() })
    this.#add(tenant, bytes)
    return place
  }

  left(checkId: string): void {
    const kept = this.#kept.get(checkId)
    if (kept === undefined) return
    this.#kept.delete(checkId)
    this.#add(kept.tenant, -kept.bytes)
  }

  /** Gives places free of which the exchange says that its check is over; so many at once, and once in a while. */
  async look(isOver: (exchangeId: string) => Promise<boolean>): Promise<void> {
    if (this.#looking === null) {
      if (this.#now() < this.#lookedAtMs + LOOK_PAUSE_MS) return
      this.#lookedAtMs = this.#now()
      this.#looking = this.#lookAt(isOver).finally(() => {
        this.#looking = null
      })
    }
    await this.#looking
  }

  async #lookAt(isOver: (exchangeId: string) => Promise<boolean>): Promise<void> {
    const beforeMs = this.#now() - LOOKED_AT_AFTER_MS
    const old = [...this.#kept].filter(([, { sinceMs }]) => sinceMs <= beforeMs).slice(0, LOOKED_AT_MAX)
    const limit = pLimit(LOOKS_AT_ONCE)
    await Promise.all(
      old.map(([checkId, kept]) =>
        limit(async () => {
          // What cannot be read now keeps its place.
          if (await isOver(kept.exchangeId).catch(() => false)) this.left(checkId)
          else if (this.#kept.delete(checkId)) this.#kept.set(checkId, kept)
        }),
      ),
    )
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
