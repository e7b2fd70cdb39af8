import type { Eventually } from '../../domain/eventually.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { activeTenant } from './read.ts'
import type { UseCasePorts } from '../command-ports.ts'

/** How long another node may not have heard of a suspension. */
const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Whether an organisation may act now. Every request asks, so the answer is kept for a second; whoever suspends an
 * organisation here makes this forget it at once.
 */
export class TenantStanding {
  readonly #ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>
  readonly #activeUntilMs = new Map<string, number>()
  #forgotten = 0

  constructor(ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>) {
    this.#ports = ports
  }

  /** The refusal of a suspended one; null for one that may act. */
  refusal(tenant: string): Eventually<Refused | null> {
    const nowMs = performance.now()
    return nowMs < (this.#activeUntilMs.get(tenant) ?? 0) ? null : this.#find(tenant, nowMs)
  }

  async #find(tenant: string, nowMs: number): Promise<Refused | null> {
    const forgotten = this.#forgotten
    const active = await activeTenant(this.#ports, tenant)
    if (isRefused(active)) return active
    // What was read before a suspension must not outlive it.
    if (forgotten !== this.#forgotten) return null
    if (this.#activeUntilMs.size >= KNOWN_MAX) this.#activeUntilMs.clear()
    this.#activeUntilMs.set(tenant, nowMs + KNOWN_MS)
    return null
  }

  forget(tenant: string): void {
    this.#forgotten += 1
    this.#activeUntilMs.delete(tenant)
  }
}
