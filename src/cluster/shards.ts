import type { NodeLease } from '../ports/lease.ts'
import { soleOwner, type LeaseSession, type Ownership } from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'

/** Opens a shard's journal and serves its actors; closing finishes their work and hands the shard back. */
export interface ShardServer {
  open(shard: number): Promise<void>
  close(shard: number): Promise<void>
  /** Also false again once the shard was lost. */
  isOpen(shard: number): boolean
}

export interface Membership {
  session(): LeaseSession | null
  /** The living nodes, sorted by name. */
  alive(): readonly NodeLease[]
}

export type Embedded = Ownership & Membership

/** The membership of a process that has its engine to itself: it is the only node for as long as it runs. */
export const embeddedMembership = (
  { node, address }: { readonly node: string; readonly address: string },
  incarnation: string,
): Embedded => {
  const lease: NodeLease = { node, incarnation, counter: 0, address, state: 'alive' }
  return { ...soleOwner(`${node}~${incarnation}`), alive: () => [lease] }
}

export const shardKeeperDefaults = { intervalMs: 500, openingMax: 32 }

export type ShardKeeperSettings = Readonly<typeof shardKeeperDefaults> & { readonly shardCount: number }

/** The static map of shards to nodes: the shard's number modulo the number of living nodes, sorted by name. */
export const assignedNode = (shard: number, sortedNodes: readonly string[]): string | null =>
  sortedNodes[shard % sortedNodes.length] ?? null

/** Opens the shards that the map gives to this node and hands back those of other nodes, at every interval. */
export class ShardKeeper {
  readonly #node: string
  readonly #membership: Membership
  readonly #server: ShardServer
  readonly #runtime: Runtime
  readonly #settings: ShardKeeperSettings
  readonly #report: (shard: number, error: unknown) => void
  readonly #stop = new AbortController()
  readonly #opening = new Set<number>()
  readonly #closing = new Map<number, Promise<void>>()
  #running: Promise<void> = Promise.resolve()

  constructor(
    node: string,
    membership: Membership,
    server: ShardServer,
    runtime: Runtime,
    settings: ShardKeeperSettings,
    report: (shard: number, error: unknown) => void,
  ) {
    this.#node = node
    this.#membership = membership
    this.#server = server
    this.#runtime = runtime
    this.#settings = settings
    this.#report = report
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Whether this node is to serve the shard and does not yet; without a lease that is not known, and counts as so. */
  isToCome(shard: number): boolean {
    if (this.#stop.signal.aborted || this.#server.isOpen(shard)) return false
    if (this.#membership.session()?.valid() !== true) return true
    const nodes = this.#membership.alive().map(({ node }) => node)
    return assignedNode(shard, nodes) === this.#node
  }

  /** Closes every shard. A shard that is still being opened is closed once it is open, which may never happen. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('shards are no longer kept'))
    await this.#running
    for (const shard of this.#shards()) if (this.#server.isOpen(shard)) this.#close(shard)
    await Promise.all(this.#closing.values())
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#step()
      await this.#runtime.sleep(this.#settings.intervalMs, signal).catch(() => {})
    }
  }

  #step(): void {
    const session = this.#membership.session()
    const alive = this.#membership.alive()
    // Without a lease no shard can be opened, and open ones answer nothing until the lease is renewed or over.
    if (session?.valid() !== true || !alive.some((lease) => lease.node === this.#node)) return
    const nodes = alive.map((lease) => lease.node)
    for (const shard of this.#shards()) {
      if (this.#opening.has(shard)) continue
      const ours = assignedNode(shard, nodes) === this.#node
      const open = this.#server.isOpen(shard)
      if (open && !ours) this.#close(shard)
      if (!open && ours && this.#opening.size < this.#settings.openingMax) void this.#open(shard)
    }
  }

  async #open(shard: number): Promise<void> {
    if (this.#closing.has(shard)) return
    this.#opening.add(shard)
    try {
      await this.#server.open(shard)
      if (this.#stop.signal.aborted) this.#close(shard)
    } catch (error) {
      this.#report(shard, error)
    } finally {
      this.#opening.delete(shard)
    }
  }

  #close(shard: number): void {
    if (this.#closing.has(shard)) return
    const closing = this.#server
      .close(shard)
      .catch((error: unknown) => this.#report(shard, error))
      .finally(() => this.#closing.delete(shard))
    this.#closing.set(shard, closing)
  }

  #shards(): readonly number[] {
    return Array.from({ length: this.#settings.shardCount }, (_, shard) => shard)
  }
}
