import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Eventually } from '../../domain/eventually.ts'
import { shardOfActor } from '../../domain/references.ts'
import type { Rest } from '../../domain/rest.ts'
import type { Rests } from '../../host/rests.ts'
import { type Actors, isNotOwner } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { readTenant } from './read.ts'
import type { TenantRecord } from './rules.ts'

/** How long after the order something of an organisation may still begin; and after it is restored, be held back. */
const KNOWN_MS = 1_000
const KNOWN_MAX = 10_000
const LOOK_AGAIN_MS = 50

/** Shards that this node is about to serve: they open one after the other, those of organisations not before their records'. */
export type ShardsToCome = {
  readonly isToCome: (shard: number) => boolean
  readonly sleep: Runtime['sleep']
}

type Found = TenantRecord | Refused | null
type Known = { readonly rest: Rest | null; readonly untilMs: number }

/**
 * Which organisations rest because they are to be deleted. Everything that a record owes asks, so a process that is alone
 * keeps the answer for a second; on a cluster nothing is kept beside the copy of the organisation itself (`keptMs` 0).
 */
export class TenantRests implements Rests {
  readonly #actors: Actors
  readonly #toCome: ShardsToCome | null
  readonly #keptMs: number
  readonly #known = new Map<string, Known>()
  /** Whatever waits for an organisation shares one look. */
  readonly #finding = new Map<string, Promise<Rest | null>>()

  constructor(actors: Actors, toCome: ShardsToCome | null = null, keptMs = KNOWN_MS) {
    this.#actors = actors
    this.#keptMs = keptMs
    this.#toCome = toCome
  }

  of(tenant: string): Eventually<Rest | null> {
    const known = this.#known.get(tenant)
    if (known !== undefined && performance.now() < known.untilMs) return known.rest
    return this.#finding.get(tenant) ?? this.#find(tenant)
  }

  #find(tenant: string): Eventually<Rest | null> {
    const found = readTenant({ actors: this.#actors }, tenant)
    if (!(found instanceof Promise)) return this.#keep(tenant, found)
    const finding = this.#untilThere(tenant, found)
      .then((record) => this.#keep(tenant, record))
      .finally(() => this.#finding.delete(tenant))
    this.#finding.set(tenant, finding)
    return finding
  }

  /**
   * An organisation whose shard is not open yet is waited for: taken for one that does not rest, it would lose at a start
   * what waits for its return. In a cluster its owner is asked, wherever it is.
   */
  async #untilThere(tenant: string, first: Promise<Exclude<Found, null>>): Promise<Found> {
    for (let found: Eventually<Exclude<Found, null>> = first; ; ) {
      try {
        return await found
      } catch (error) {
        if (!isNotOwner(error)) throw error
        if (this.#toCome?.isToCome(shardOfActor(tenant)) !== true) return null
        await this.#toCome.sleep(LOOK_AGAIN_MS)
      }
      found = readTenant({ actors: this.#actors }, tenant)
    }
  }

  #keep(tenant: string, record: Found): Rest | null {
    const rest = record === null ? null : restOf(record)
    if (this.#keptMs === 0) return rest
    if (this.#known.size >= KNOWN_MAX) this.#known.clear()
    this.#known.set(tenant, { rest, untilMs: performance.now() + this.#keptMs })
    return rest
  }
}

const restOf = (found: TenantRecord | Refused): Rest | null => {
  if (isRefused(found)) return null
  const { status, rests } = found
  const isResting = status === 'deletion_ordered' || status === 'deleting'
  return isResting || rests.length > 0 ? { isResting, before: rests } : null
}
