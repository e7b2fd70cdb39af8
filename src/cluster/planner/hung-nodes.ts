import { isEnded, type LeaseStore, type NodeLease } from '../../ports/lease.ts'
import type { Membership } from '../../ports/membership.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { ChangeableMap } from '../../ports/shard-map.ts'
import { type Waiting, WantedShards } from './wanted-shards.ts'

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

/** For how long a node has been at its longest hand-off, and since when it has done nothing of what the map wants. */
type HeldUp = { readonly handOffMs: number; readonly mapMs: number }

export type HungNodesParts = {
  readonly node: string
  readonly membership: Membership
  /** Read from the store. */
  readonly leases: () => Promise<readonly NodeLease[]>
  readonly endLease: LeaseStore['end']
  readonly map: Pick<ChangeableMap, 'refreshed'>
  /** By the word of the node; null where it says nothing. */
  readonly heldUpOf: (node: string) => Promise<HeldUp | null>
  readonly runtime: Pick<Runtime, 'monotonicMs'>
  readonly settings: HungSettings
  /** Called when this node has ended the lease of another. */
  readonly ended: (node: string) => void
  readonly report: (error: unknown) => void
}

/**
 * Ends the leases of nodes that renew them and hang with a hand-off, or do nothing of what the map wants, so that their
 * shards are taken as those of one that died, after the same wait. Every node looks, the first by name without the one in
 * question acts, and the others after it in turn: so it does not matter who plans, and whether that one hangs itself.
 */
export class HungNodes {
  readonly #parts: HungNodesParts
  readonly #wanted = new WantedShards()
  readonly #silentSinceMs = new Map<string, number>()
  #lookAgainAtMs = Number.NEGATIVE_INFINITY
  #looking: Promise<void> | null = null

  constructor(parts: HungNodesParts) {
    this.#parts = parts
  }

  /** One look at a time, and not often. */
  look(): Promise<void> {
    this.#looking ??= this.#look()
      .catch(this.#parts.report)
      .finally(() => {
        this.#looking = null
      })
    return this.#looking
  }

  async #look(): Promise<void> {
    const { node, membership, map, runtime, settings } = this.#parts
    const nowMs = runtime.monotonicMs()
    const others = membership.alive().filter((lease) => lease.node !== node && !isEnded(lease))
    if (others.length === 0 || nowMs < this.#lookAgainAtMs) return
    this.#lookAgainAtMs = nowMs + settings.askEveryMs
    // Where it cannot be read nothing counts: nobody can do what it wants.
    const seen = await map.refreshed()
    const waiting = this.#wanted.look(seen, membership.alive(), nowMs)
    const names = new Set(others.map((lease) => lease.node))
    for (const known of this.#silentSinceMs.keys()) if (!names.has(known)) this.#silentSinceMs.delete(known)
    if (!seen.frozen) await Promise.all(others.map((lease) => this.#judge(lease, waiting.get(lease.node))))
  }

  async #judge(lease: NodeLease, waiting: Waiting | undefined): Promise<void> {
    const { handOffMs, turnMs } = this.#parts.settings
    const heldUpMs = await this.#heldUpMs(lease.node, waiting)
    if (heldUpMs >= handOffMs + this.#turnFor(lease.node) * turnMs) await this.#end(lease)
  }

  /** Who does not look at the map holds up only what it wants of that node; otherwise it is as good a node as any. */
  async #heldUpMs(node: string, waiting: Waiting | undefined): Promise<number> {
    const { heldUpOf, runtime, settings } = this.#parts
    const nowMs = runtime.monotonicMs()
    const said = await heldUpOf(node)
    if (said !== null) {
      this.#silentSinceMs.delete(node)
      return Math.max(said.handOffMs, Math.min(said.mapMs, waiting?.longestMs ?? 0))
    }
    const sinceMs = this.#silentSinceMs.get(node) ?? nowMs
    this.#silentSinceMs.set(node, sinceMs)
    return nowMs - sinceMs >= settings.silentMs ? (waiting?.stillMs ?? 0) : 0
  }

  /** How many others come before this node. */
  #turnFor(node: string): number {
    const { node: own, membership } = this.#parts
    return membership.alive().filter((lease) => lease.node !== node && lease.node < own).length
  }

  async #end({ node, incarnation }: NodeLease): Promise<void> {
    const { leases, endLease, membership, ended } = this.#parts
    const row = (await leases()).find((lease) => lease.node === node)
    if (row?.incarnation !== incarnation || row.state !== 'alive' || isEnded(row)) return
    // Who cannot confirm its own lease is just as likely the one that is cut off.
    if (membership.session()?.valid() === true && (await endLease(row))) ended(node)
  }
}
