import type { NodeLease } from '../ports/lease.ts'
import { soleOwner, type Ownership } from '../ports/journal.ts'
import type { Membership, ShardServer } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'

export type Embedded = Ownership & Membership

/** The membership of a process that has its engine to itself: it is the only node for as long as it runs. */
export const embeddedMembership = (
  { node, address }: { readonly node: string; readonly address: string },
  incarnation: string,
): Embedded => {
  const lease: NodeLease = { node, incarnation, counter: 0, address, linkAddress: '', state: 'alive' }
  return { ...soleOwner(`${node}~${incarnation}`), alive: () => [lease] }
}

type Server = Pick<ShardServer, 'open' | 'close' | 'isOpen'>

export const shardKeeperDefaults = {
  intervalMs: 500,
  /** How much longer the keeper rests while there is nothing to do, unless the keeper is told to look. */
  settledMs: 0,
  openingMax: 32,
}

export type ShardKeeperSettings = Readonly<typeof shardKeeperDefaults> & { readonly shardCount: number }

/**
 * Opens the shards that are to be served here and closes those that are not, at every interval. It is for a process that
 * has its engine to itself; the nodes of a cluster go by the map (`map/map-keeper.ts`).
 */
export class ShardKeeper {
  readonly #node: string
  readonly #membership: Membership
  readonly #server: Server
  readonly #runtime: Runtime
  readonly #settings: ShardKeeperSettings
  readonly #report: (shard: number, error: unknown) => void
  readonly #isOurs: (shard: number) => boolean
  readonly #stop = new AbortController()
  readonly #opening = new Set<number>()
  readonly #closing = new Map<number, Promise<void>>()
  #running: Promise<void> = Promise.resolve()
  #rest = new AbortController()

  constructor(
    node: string,
    membership: Membership,
    server: Server,
    runtime: Runtime,
    settings: ShardKeeperSettings,
    report: (shard: number, error: unknown) => void,
    isOurs: (shard: number) => boolean = () => true,
  ) {
    this.#node = node
    this.#membership = membership
    this.#server = server
    this.#runtime = runtime
    this.#settings = settings
    this.#report = report
    this.#isOurs = isOurs
  }

  start(): void {
    this.#running = this.#run()
  }

  /** A shard was lost: an interval later it is opened again. */
  look(): void {
    this.#rest.abort(new Error('a shard was lost'))
  }

  /** Whether this node is to serve the shard and does not yet; without a lease that is not known, and counts as so. */
  isToCome(shard: number): boolean {
    if (this.#stop.signal.aborted || this.#server.isOpen(shard)) return false
    if (this.#membership.session()?.valid() !== true) return true
    return this.#isOurs(shard)
  }

  /** Closes every shard. A shard that is still being opened is closed once it is open, which may never happen. */
  async stop(): Promise<void> {
    this.#stop.abort(new Error('shards are no longer kept'))
    this.look()
    await this.#running
    for (const shard of this.#shards()) if (this.#server.isOpen(shard)) this.#close(shard)
    await Promise.all(this.#closing.values())
  }

  async #run(): Promise<void> {
    const { intervalMs, settledMs } = this.#settings
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#rest = new AbortController()
      if (this.#step() && settledMs > 0)
        await this.#runtime.sleep(settledMs, this.#rest.signal).catch(() => {})
      await this.#runtime.sleep(intervalMs, signal).catch(() => {})
    }
  }

  /** True when the keeper had no shard to open or to close. */
  #step(): boolean {
    const session = this.#membership.session()
    const alive = this.#membership.alive()
    // Without a lease no shard can be opened, and open ones answer nothing until the lease is renewed or over.
    if (session?.valid() !== true || !alive.some((lease) => lease.node === this.#node)) return false
    let isSettled = this.#opening.size === 0 && this.#closing.size === 0
    for (const shard of this.#shards()) {
      if (this.#opening.has(shard)) continue
      const ours = this.#isOurs(shard)
      const open = this.#server.isOpen(shard)
      if (open !== ours) isSettled = false
      if (open && !ours) this.#close(shard)
      if (!open && ours && this.#opening.size < this.#settings.openingMax) void this.#open(shard)
    }
    return isSettled
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
