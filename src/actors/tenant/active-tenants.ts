import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import type { Actors } from '../../ports/actors.ts'
import { activeTenant } from './read.ts'

/** How long another node may let an organisation act after its suspension. */
const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Whether an organisation may act now. Every request needs to know, so the answer is kept for a second; a suspension
 * on this node makes it forgotten at once.
 */
export class ActiveTenants {
  readonly #ports: { readonly actors: Actors }
  readonly #activeUntilMs = new Map<string, number>()
  #forgotten = 0

  constructor(ports: { readonly actors: Actors }) {
    this.#ports = ports
  }

  /** The refusal of a suspended organisation; null for one that may act. */
  refusal(tenant: string): Eventually<Refused | null> {
    const nowMs = performance.now()
    return nowMs < (this.#activeUntilMs.get(tenant) ?? 0) ? null : this.#find(tenant, nowMs)
  }

  #find(tenant: string, nowMs: number): Eventually<Refused | null> {
    const forgotten = this.#forgotten
    return chain(activeTenant(this.#ports, tenant), (active) => {
      if (isRefused(active)) return active
      // What was read before a suspension must not outlive it.
      if (forgotten !== this.#forgotten) return null
      if (this.#activeUntilMs.size >= KNOWN_MAX) this.#activeUntilMs.clear()
      this.#activeUntilMs.set(tenant, nowMs + KNOWN_MS)
      return null
    })
  }

  forget(tenant: string): void {
    this.#forgotten += 1
    this.#activeUntilMs.delete(tenant)
  }
}
