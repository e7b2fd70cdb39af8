import { isRefused, type Refused } from '../../domain/decider.ts'
import { chain, type Eventually } from '../../domain/eventually.ts'
import type { Rest } from '../../domain/rest.ts'
import type { Rests } from '../../host/rests.ts'
import { type Actors, AskFailed } from '../../ports/actors.ts'
import { readTenant } from './read.ts'
import type { TenantRecord } from './rules.ts'

/** How long after the order something of an organisation may still begin; and after it is restored, be held back. */
const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000

type Known = { readonly rest: Rest | null; readonly untilMs: number }

/**
 * Which organisations rest because they are to be deleted. Everything that a record owes asks, so the answer is kept for
 * a second.
 */
export class TenantRests implements Rests {
  readonly #actors: Actors
  readonly #known = new Map<string, Known>()

  constructor(actors: Actors) {
    this.#actors = actors
  }

  of(tenant: string): Eventually<Rest | null> {
    const nowMs = performance.now()
    const known = this.#known.get(tenant)
    return known !== undefined && nowMs < known.untilMs ? known.rest : this.#find(tenant, nowMs)
  }

  #find(tenant: string, nowMs: number): Eventually<Rest | null> {
    const actors = this.#actors
    const found = readTenant({ actors }, tenant)
    const read = found instanceof Promise ? found.catch(unlessElsewhere) : found
    return chain(read, (record) => {
      const rest = record === null ? null : restOf(record)
      if (this.#known.size >= KNOWN_MAX) this.#known.clear()
      this.#known.set(tenant, { rest, untilMs: nowMs + KNOWN_MS })
      return rest
    })
  }
}

/** Of an organisation that another node owns nothing is known here, until nodes speak to each other. */
const unlessElsewhere = (error: unknown): null => {
  if (error instanceof AskFailed && error.code === 'not_owner') return null
  throw error
}

const restOf = (found: TenantRecord | Refused): Rest | null => {
  if (isRefused(found)) return null
  const { status, rests } = found
  const isResting = status === 'deletion_ordered' || status === 'deleting'
  return isResting || rests.length > 0 ? { isResting, before: rests } : null
}
