import type { DirectoryRow } from '../../ports/directory.ts'
import type { Rev, ShardRev } from '../../ports/list-replicas.ts'

/** So many looks in a row without a question and without a lease, and a node has gone. */
const MISSED_MAX = 60

/**
 * What this node has changed and some other has not told that it has: by organisation, so that a list waits for its own
 * organisation alone. What is not remembered by organisation, every list waits for.
 */
export class RecentChanges {
  readonly #byTenant = new Map<string, Map<number, Rev>>()
  readonly #ofAll = new Map<number, Rev>()
  readonly #acknowledged = new Map<string, readonly Rev[]>()
  /** How often in a row each of those that follow was not among the living. */
  readonly #missed = new Map<string, number>()
  readonly #max: number
  #count = 0

  constructor(max: number) {
    this.#max = max
  }

  note(shard: number, rev: Rev, rows: readonly DirectoryRow[]): void {
    for (const { tenant, id, endsAllBut } of rows) {
      this.#noteOf(tenant, shard, rev)
      if (endsAllBut !== undefined) this.#noteOf(id, shard, rev)
    }
  }

  noteForAll({ shard, rev }: ShardRev): void {
    this.#ofAll.set(shard, rev)
  }

  /** A node tells what it has; -1 for shards that it has open itself, of which it tells when it follows another. */
  acknowledge(node: string, revs: readonly Rev[]): void {
    this.#acknowledged.set(node, revs)
    this.#missed.delete(node)
  }

  acknowledgedBy(node: string, shard: number): Rev {
    return this.#acknowledged.get(node)?.[shard] ?? 0
  }

  /** What a list of the organisation must show and the node may lack. */
  neededBy(node: string, tenant: string): readonly ShardRev[] {
    const needed = new Map(this.#ofAll)
    for (const [shard, rev] of this.#byTenant.get(tenant) ?? [])
      needed.set(shard, Math.max(rev, needed.get(shard) ?? 0))
    return [...needed]
      .filter(([shard, rev]) => this.acknowledgedBy(node, shard) < rev)
      .map(([shard, rev]) => ({ shard, rev }))
  }

  /**
   * Forgets what all of these nodes have, and those that follow: a node that has just joined may follow before this one
   * has seen its lease.
   */
  prune(living: readonly string[]): void {
    const nodes = [...new Set([...living, ...this.#acknowledged.keys()])]
    const isKnown = (shard: number, rev: Rev): boolean =>
      nodes.every((node) => this.acknowledgedBy(node, shard) >= rev)
    for (const [shard, rev] of this.#ofAll) if (isKnown(shard, rev)) this.#ofAll.delete(shard)
    for (const [tenant, shards] of this.#byTenant) {
      for (const [shard, rev] of shards) if (isKnown(shard, rev) && shards.delete(shard)) this.#count -= 1
      if (shards.size === 0) this.#byTenant.delete(tenant)
    }
    for (const node of this.#acknowledged.keys()) if (!living.includes(node)) this.#miss(node)
  }

  #miss(node: string): void {
    const times = (this.#missed.get(node) ?? 0) + 1
    this.#missed.set(node, times)
    if (times < MISSED_MAX) return
    this.#missed.delete(node)
    this.#acknowledged.delete(node)
  }

  #noteOf(tenant: string, shard: number, rev: Rev): void {
    const shards = this.#byTenant.get(tenant) ?? new Map<number, Rev>()
    if (!shards.has(shard)) {
      if (this.#count >= this.#max) {
        this.#ofAll.set(shard, rev)
        return
      }
      this.#count += 1
    }
    shards.set(shard, rev)
    this.#byTenant.set(tenant, shards)
  }
}
