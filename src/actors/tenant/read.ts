import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { Actors } from '../../ports/actors.ts'
import { noSuchTenant, ratesOf, tenant, type TenantRecord } from './rules.ts'

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

const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000

/**
 * Whether an organisation may act now. Every request needs to know, so a process that is alone keeps the answer for a
 * second; a suspension makes it forgotten at once. On a cluster the suspension may come through any node, so nothing is
 * kept beside the copy of the organisation itself (`keptMs` 0).
 */
export class ActiveTenants {
  readonly #ports: { readonly actors: Actors }
  readonly #keptMs: number
  readonly #activeUntilMs = new Map<string, number>()
  /** Of those that have one. */
  readonly #rates = new Map<string, number>()
  #forgotten = 0

  constructor(ports: { readonly actors: Actors }, keptMs = KNOWN_MS) {
    this.#ports = ports
    this.#keptMs = keptMs
  }

  /** The refusal of a suspended organisation; null for one that may act. */
  refusal(id: string): Eventually<Refused | null> {
    const nowMs = performance.now()
    return nowMs < (this.#activeUntilMs.get(id) ?? 0) ? null : this.#find(id, nowMs)
  }

  /** Requests in any minute of all its keys together, as far as `refusal` has asked for it; null: none of its own. */
  rateOf(id: string): number | null {
    return this.#rates.get(id) ?? null
  }

  #find(id: string, nowMs: number): Eventually<Refused | null> {
    const forgotten = this.#forgotten
    return chain(activeTenant(this.#ports, id), (active) => {
      if (isRefused(active)) return active
      const { ratePerMinute } = ratesOf(active)
      if (ratePerMinute === null) this.#rates.delete(id)
      else this.#rates.set(id, ratePerMinute)
      // What was read before a suspension must not outlive it.
      if (forgotten !== this.#forgotten || this.#keptMs === 0) return null
      if (this.#activeUntilMs.size >= KNOWN_MAX) this.#activeUntilMs.clear()
      this.#activeUntilMs.set(id, nowMs + this.#keptMs)
      return null
    })
  }

  forget(id: string): void {
    this.#forgotten += 1
    this.#activeUntilMs.delete(id)
  }
}
