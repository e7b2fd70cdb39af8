import type { LeaseStore, NodeLease } from '../ports/lease.ts'
import type { LeaseSession, Ownership } from '../ports/journal.ts'
import type { Membership } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'
import { withinBy } from '../timing/within.ts'
import { LeaseClock } from './lease-clock.ts'
import { NodeSession, ownerName, parseOwner } from './lease-session.ts'
import { RivalWatch } from './rival-watch.ts'

export const leaseDefaults = {
  heartbeatMs: 2_000,
  /** Pause between two looks at the others. It is part of how long the shards of a dead node wait. */
  watchMs: 500,
  /** A rival declares a node dead when its counter stood still for this long. */
  deadMs: 10_000,
  /**
   * How long a renewal allows this node to answer; the distance to `deadMs` is how far two monotonic clocks may drift
   * apart in that time.
   */
  validMs: 7_000,
  attemptTimeoutMs: 2_000,
  retryMs: 250,
}

export type LeaseSettings = Readonly<typeof leaseDefaults>

export type ThisNode = Pick<NodeLease, 'node' | 'address'>

/** Renews this node's lease, and declares nodes dead that no longer renew theirs. */
export class LeaseKeeper implements Ownership, Membership {
  readonly #store: LeaseStore
  readonly #runtime: Runtime
  /** Counts what we may answer for; rivals are watched by the monotonic clock alone, which no wall clock hurries. */
  readonly #clock: LeaseClock
  readonly #settings: LeaseSettings
  readonly #node: ThisNode
  readonly #rivals: RivalWatch
  /** Watches this node's own row as an earlier process may have left it. */
  readonly #predecessor: RivalWatch
  readonly #stop = new AbortController()
  #session: NodeSession | null = null
  #lease: NodeLease | null = null
  #joining: NodeLease | null = null
  /** When the first renewal of the present counter was sent that got no answer. */
  #unsureSinceMs: number | null = null
  #alive: readonly NodeLease[] = []
  #linkAddress = ''
  #running: Promise<unknown> = Promise.resolve()

  constructor(store: LeaseStore, runtime: Runtime, settings: LeaseSettings, node: ThisNode) {
    this.#store = store
    this.#runtime = runtime
    this.#clock = new LeaseClock(runtime)
    this.#settings = settings
    this.#node = node
    const gapMaxMs = Math.max(settings.deadMs / 2, settings.heartbeatMs * 2)
    this.#rivals = new RivalWatch(settings.deadMs, gapMaxMs)
    this.#predecessor = new RivalWatch(settings.deadMs, gapMaxMs)
  }

  /** `linkAddress`: where the other nodes find the link of this one. */
  start(linkAddress = ''): void {
    this.#linkAddress = linkAddress
    const { heartbeatMs, watchMs } = this.#settings
    this.#running = Promise.all([
      this.#repeat(heartbeatMs, () => (this.#session === null ? this.#join() : this.#renew())),
      this.#repeat(watchMs, () => this.#watch()),
    ])
  }

  session(): LeaseSession | null {
    return this.#session
  }

  /** The nodes that have not left and were not declared dead, as last seen, sorted by name. */
  alive(): readonly NodeLease[] {
    return this.#alive
  }

  async isGone(owner: string): Promise<boolean> {
    const { node, incarnation } = parseOwner(owner)
    const row = (await this.#store.list()).find((lease) => lease.node === node)
    return row === undefined || row.incarnation !== incarnation || row.state !== 'alive'
  }

  /** No request may be answered any more when this begins, because a node that sees the row takes our shards. */
  async leave(): Promise<void> {
    this.#stop.abort(new Error('the node leaves'))
    await this.#running
    const lease = this.#lease
    this.#endSession()
    if (lease === null) return
    const row = await this.#limited(this.#ownRow())
    if (row?.incarnation === lease.incarnation) await this.#limited(this.#store.leave(row))
  }

  /** A failure of the store is not an answer, so nothing follows from it; the lease runs out by itself. */
  async #repeat(everyMs: number, step: () => Promise<void>): Promise<void> {
    const { retryMs } = this.#settings
    const { signal } = this.#stop
    while (!signal.aborted) {
      const pauseMs = await step().then(
        () => everyMs,
        () => retryMs,
      )
      if (!signal.aborted) await this.#runtime.sleep(pauseMs, signal).catch(() => {})
    }
  }

  async #join(): Promise<void> {
    const row = await this.#limited(this.#ownRow())
    this.#joining ??= this.#newLease()
    const joining = this.#joining
    if (row?.incarnation === joining.incarnation) {
      // An earlier attempt was applied; only a renewal shows that the lease still stands.
      return this.#begin(joining, Number.NEGATIVE_INFINITY)
    }
    if (row?.state === 'alive') {
      const [dead] = this.#predecessor.observe([row], this.#runtime.monotonicMs())
      if (dead === undefined) return
    }
    const startMs = this.#clock.nowMs()
    if (await this.#limited(this.#store.join(joining, row))) this.#begin(joining, startMs)
  }

  #begin(lease: NodeLease, startMs: number): void {
    if (this.#stop.signal.aborted) return
    this.#lease = lease
    this.#joining = null
    this.#unsureSinceMs = null
    const session = new NodeSession(this.#clock, ownerName(lease.node, lease.incarnation))
    session.renewed(startMs, this.#settings.validMs)
    this.#session = session
  }

  async #renew(): Promise<void> {
    const lease = this.#lease
    if (lease === null) return
    const startMs = this.#clock.nowMs()
    let renewed: boolean
    try {
      renewed = await this.#limited(this.#store.renew(lease))
    } catch (error) {
      this.#unsureSinceMs ??= startMs
      throw error
    }
    if (renewed) this.#renewed(lease, startMs)
    else await this.#explainRefusal(lease)
  }

  #renewed(lease: NodeLease, startMs: number): void {
    this.#lease = { ...lease, counter: lease.counter + 1 }
    this.#unsureSinceMs = null
    this.#session?.renewed(startMs, this.#settings.validMs)
  }

  /** Our own attempt without an answer may have raised the counter; otherwise the lease is over. */
  async #explainRefusal(lease: NodeLease): Promise<void> {
    const row = await this.#limited(this.#ownRow())
    const ours = row?.incarnation === lease.incarnation && row.state === 'alive'
    if (ours && row.counter === lease.counter) return
    if (ours && row.counter === lease.counter + 1 && this.#unsureSinceMs !== null)
      this.#renewed(lease, this.#unsureSinceMs)
    else this.#endSession()
  }

  #endSession(): void {
    this.#session?.end()
    this.#session = null
    this.#lease = null
  }

  async #watch(): Promise<void> {
    const rows = await this.#limited(this.#store.list())
    const rivals = rows.filter((row) => row.node !== this.#node.node)
    const still = this.#rivals.observe(rivals, this.#runtime.monotonicMs())
    this.#alive = rows
      .filter((row) => row.state === 'alive')
      .sort((left, right) => (left.node < right.node ? -1 : 1))
    // A node that cannot confirm its own lease is just as likely the one that is cut off.
    if (this.#session?.valid() !== true) return
    for (const row of still) {
      if (!(await this.#limited(this.#store.declareDead(row)))) continue
      this.#alive = this.#alive.filter(({ node }) => node !== row.node)
    }
  }

  #newLease(): NodeLease {
    const { node, address } = this.#node
    const incarnation = this.#runtime.newId()
    return { node, address, linkAddress: this.#linkAddress, incarnation, counter: 0, state: 'alive' }
  }

  async #ownRow(): Promise<NodeLease | null> {
    return (await this.#store.list()).find((row) => row.node === this.#node.node) ?? null
  }

  #limited<Answer>(call: Promise<Answer>): Promise<Answer> {
    return withinBy(this.#runtime, this.#settings.attemptTimeoutMs, call, () => {
      throw new Error('the store did not answer in time')
    })
  }
}
