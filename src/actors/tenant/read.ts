import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { Actors } from '../../ports/actors.ts'
import { noSuchTenant, tenant, type TenantRecord } from './rules.ts'

type Ports = { readonly actors: Actors }

export const readTenant = ({ actors }: Ports, id: string): Eventually<TenantRecord | Refused> => {
  const ref = tenant.find(id)
  return ref === null ? noSuchTenant : actors.read(ref)
}

/** As long as there is something of it: when its deletion has begun it counts as one that never was. */
export const livingTenant = (ports: Ports, id: string): Eventually<TenantRecord | Refused> =>
  chain(readTenant(ports, id), (found) =>
    !isRefused(found) && (found.status === 'deleting' || found.status === 'deleted') ? noSuchTenant : found,
  )

/** A tenant that may begin something new; a suspended one may not. */
export const activeTenant = (ports: Ports, id: string): Eventually<TenantRecord | Refused> =>
  chain(readTenant(ports, id), (found) => {
    if (isRefused(found)) return refuse('forbidden', 'The organisation of this credential does not exist.')
    if (found.status === 'active') return found
    return refuse('forbidden', 'The organisation is suspended; ask the operator of the service.')
  })

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
  refusal(id: string): Eventually<Refused | null> {
    const nowMs = performance.now()
    return nowMs < (this.#activeUntilMs.get(id) ?? 0) ? null : this.#find(id, nowMs)
  }

  #find(id: string, nowMs: number): Eventually<Refused | null> {
    const forgotten = this.#forgotten
    return chain(activeTenant(this.#ports, id), (active) => {
      if (isRefused(active)) return active
      // What was read before a suspension must not outlive it.
      if (forgotten !== this.#forgotten) return null
      if (this.#activeUntilMs.size >= KNOWN_MAX) this.#activeUntilMs.clear()
      this.#activeUntilMs.set(id, nowMs + KNOWN_MS)
      return null
    })
  }

  forget(id: string): void {
    this.#forgotten += 1
    this.#activeUntilMs.delete(id)
  }
}
