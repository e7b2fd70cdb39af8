import { isEnded, type LeaseStore, type NodeLease } from '../../ports/lease.ts'
import type { Membership } from '../../ports/membership.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ChangeableMap } from '../../ports/shard-map.ts'
import { isAnyWanted, type Waiting, WantedShards } from './wanted-shards.ts'

export const hungDefaults = {
  /** A hand-off that is under way for so long does not end by itself. */
  handOffMs: 60_000,
  /** A node that says nothing for so long, and lets go of nothing, hangs; one that is out of reach has left before. */
  silentMs: 25_000,
  askEveryMs: 2_000,
  /** Each next one by name waits for so much longer, in case that those before it are not up to it. */
  turnMs: 10_000,
}

export type HungSettings = Readonly<typeof hungDefaults>

export type HungNodesParts = {
  readonly node: string
  readonly membership: Membership
  /** Read from the store. */
  readonly leases: () => Promise<readonly NodeLease[]>
  readonly endLease: LeaseStore['end']
  readonly map: Pick<ChangeableMap, 'current' | 'refreshed'>
  /** For how long nothing has come of what a node is to let go, by its own word; null where it says nothing. */
  readonly heldUpOf: (node: string) => Promise<number | null>
  readonly runtime: Pick<Runtime, 'monotonicMs'>
  readonly settings: HungSettings
  /** Called when this node has ended the lease of another. */
  readonly ended: (node: string) => void
  readonly report: (error: unknown) => void
}

/**
 * Ends the leases of nodes that renew them and hang with what they are to let go, so that their shards are taken as those
 * of one that died, after the same wait. Every node looks, the first by name without the one in question acts, and the
 * others after it in turn: so it does not matter who plans, and whether that one hangs itself.
 */
export class HungNodes {
  readonly #parts: HungNodesParts
  readonly #wanted = new WantedShards()
  readonly #silentSinceMs = new Map<string, number>()
  readonly #askAgainAtMs = new Map<string, number>()
  #looking: Promise<void> | null = null

  constructor(parts: HungNodesParts) {
    this.#parts = parts
  }

  /** Where the store does not answer nothing counts, and nothing is done. One look at a time. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#parts.report)
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const waiting = await this.#waiting()
    for (const known of [this.#silentSinceMs, this.#askAgainAtMs])
      for (const node of known.keys()) if (!waiting.has(node)) known.delete(node)
    await Promise.all([...waiting].map(([node, what]) => this.#judge(node, what)))
  }

  async #waiting(): Promise<ReadonlyMap<string, Waiting>> {
    const { map, membership, runtime } = this.#parts
    // What was seen of the map before the store went away says nothing of what the nodes have done since.
    const seen = isAnyWanted(map.current(), membership.alive()) ? await map.refreshed() : map.current()
    return this.#wanted.look(seen, membership.alive(), runtime.monotonicMs())
  }

  async #judge(node: string, { incarnation, longestMs, stillMs }: Waiting): Promise<void> {
    const { node: own, heldUpOf, runtime, settings } = this.#parts
    const { handOffMs, silentMs, askEveryMs, turnMs } = settings
    const nowMs = runtime.monotonicMs()
    // Silence is to be known when the time is over.
    if (node === own || longestMs < handOffMs / 2 || nowMs < (this.#askAgainAtMs.get(node) ?? 0)) return
    this.#askAgainAtMs.set(node, nowMs + askEveryMs)
    const heldUpMs = await heldUpOf(node)
    if (heldUpMs !== null) this.#silentSinceMs.delete(node)
    else if (!this.#silentSinceMs.has(node)) this.#silentSinceMs.set(node, nowMs)
    const isSilent = nowMs - (this.#silentSinceMs.get(node) ?? nowMs) >= silentMs && stillMs >= handOffMs
    const isHung = heldUpMs === null ? isSilent : heldUpMs >= handOffMs
    if (isHung && longestMs >= handOffMs + this.#turnFor(node) * turnMs) await this.#end(node, incarnation)
  }

  /** How many others come before this node. */
  #turnFor(node: string): number {
    const { node: own, membership } = this.#parts
    return membership.alive().filter((lease) => lease.node !== node && lease.node < own).length
  }

  async #end(node: string, incarnation: string): Promise<void> {
    const { leases, endLease, membership, ended } = this.#parts
    const row = (await leases()).find((lease) => lease.node === node)
    if (row?.incarnation !== incarnation || row.state !== 'alive' || isEnded(row)) return
    // Who cannot confirm its own lease is just as likely the one that is cut off.
    if (membership.session()?.valid() === true && (await endLease(row))) ended(node)
  }
}
