import { type LeaseStore, type NodeLease, stands } from '../ports/lease.ts'
import type { LeaseSession, Ownership } from '../ports/journal.ts'
import type { Membership } from '../ports/membership.ts'
import type { Runtime } from '../ports/runtime.ts'
import { withinBy } from '../timing/within.ts'
import type { Touch } from './in-touch.ts'
import { LeaseClock } from './lease-clock.ts'
import { NodeSession, ownerName, parseOwner } from './lease-session.ts'
import { RivalWatch } from './rival-watch.ts'
import { SeenLeases } from './seen-leases.ts'

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

/** A row of this node before it takes part: since when it is there, and until when that is known. */
type Coming = { readonly sinceMs: number; untilMs: number }

/** After a gap without a look at the rows, nothing of before counts. */
export const gapMaxMs = ({ deadMs, heartbeatMs }: Pick<LeaseSettings, 'deadMs' | 'heartbeatMs'>): number =>
  Math.max(deadMs / 2, heartbeatMs * 2)

/**
 * Renews this node's lease, and declares nodes dead that no longer renew theirs. A node with links takes its name first,
 * makes them, and takes part when it is in touch with the others; one that is out of touch for long gives up its lease.
 */
export class LeaseKeeper implements Ownership, Membership {
  readonly #store: LeaseStore
  readonly #runtime: Runtime
  /** Counts what we may answer for; rivals are watched by the monotonic clock alone, which no wall clock hurries. */
  readonly #clock: LeaseClock
  readonly #settings: LeaseSettings
  readonly #node: ThisNode
  readonly #seen: SeenLeases
  /** Watches this node's own row as an earlier process may have left it. */
  readonly #predecessor: RivalWatch
  readonly #stop = new AbortController()
  #session: NodeSession | null = null
  #lease: NodeLease | null = null
  #joining: NodeLease | null = null
  #coming: Coming | null = null
  /** When the first renewal of the present counter was sent that got no answer. */
  #unsureSinceMs: number | null = null
  #linkAddress = ''
  #touch: Touch | null = null
  #isToLeave = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(store: LeaseStore, runtime: Runtime, settings: LeaseSettings, node: ThisNode) {
    this.#store = store
    this.#runtime = runtime
    this.#clock = new LeaseClock(runtime)
    this.#settings = settings
    this.#node = node
    const watched = { deadMs: settings.deadMs, gapMaxMs: gapMaxMs(settings) }
    const read = () => this.#limited(store.list())
    const monotonicMs = () => runtime.monotonicMs()
    this.#seen = new SeenLeases({ node: node.node, read, monotonicMs, ...watched })
    this.#predecessor = new RivalWatch(watched.deadMs, watched.gapMaxMs)
  }

  /** `linkAddress`: where the other nodes find the link of this one. Without links it takes part at once. */
  start(linkAddress = '', touch: Touch | null = null): void {
    this.#linkAddress = linkAddress
    this.#touch = touch
    const { watchMs } = this.#settings
    this.#running = Promise.all([
      this.#repeat(
        () => this.#pauseMs(),
        () => this.#beat(),
      ),
      this.#repeat(
        () => watchMs,
        () => this.#watch(),
      ),
    ])
  }

  session(): LeaseSession | null {
    return this.#session
  }

  /** The nodes that take part and were not declared dead, as last seen, sorted by name. */
  alive(): readonly NodeLease[] {
    return this.#seen.alive
  }

  /** The same, and those that come: all that links lead to. */
  standing(): readonly NodeLease[] {
    return this.#seen.standing
  }

  /** Which process of its name this one is; null where the name is not its own, or not any more. */
  incarnation(): string | null {
    if (this.#lease !== null) return this.#lease.incarnation
    return this.#coming === null || this.#joining === null ? null : this.#joining.incarnation
  }

  /** Whether a node that shows itself is the process that has the name. Rejects where the store does not say. */
  isNow(node: string, incarnation: string): Promise<boolean> {
    return this.#seen.has(node, incarnation)
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
    const incarnation = this.incarnation()
    this.#endSession()
    if (incarnation !== null) await this.#giveUp(incarnation)
  }

  /** A failure of the store is not an answer, so nothing follows from it; the lease runs out by itself. */
  async #repeat(everyMs: () => number, step: () => Promise<void>): Promise<void> {
    const { retryMs } = this.#settings
    const { signal } = this.#stop
    while (!signal.aborted) {
      const pauseMs = await step().then(everyMs, () => retryMs)
      if (!signal.aborted) await this.#runtime.sleep(pauseMs, signal).catch(() => {})
    }
  }

  /** Who has just come is looked at more often. */
  #pauseMs(): number {
    const { heartbeatMs, watchMs } = this.#settings
    if (this.#coming === null || this.#touch === null) return heartbeatMs
    const isNew = this.#runtime.monotonicMs() - this.#coming.sinceMs <= this.#touch.settings.comeInMs
    return isNew ? Math.min(watchMs, heartbeatMs) : heartbeatMs
  }

  #beat(): Promise<void> {
    if (this.#session === null) return this.#join()
    return this.#isToLeave ? this.#leaveOutOfTouch() : this.#renew()
  }

  async #join(): Promise<void> {
    const row = await this.#limited(this.#ownRow())
    this.#joining ??= this.#newLease()
    const joining = this.#joining
    if (row?.incarnation === joining.incarnation) return this.#goOn(row)
    if (row !== null && stands(row)) {
      const [dead] = this.#predecessor.observe([row], this.#runtime.monotonicMs())
      if (dead === undefined) return
    }
    await this.#write(joining, row)
  }

  /** An earlier attempt was applied. */
  async #goOn(row: NodeLease): Promise<void> {
    // Only a renewal shows that the lease still stands.
    if (row.state === 'alive') return this.#begin(row, Number.NEGATIVE_INFINITY)
    if (row.state !== 'coming') return this.#endSession()
    const nowMs = this.#runtime.monotonicMs()
    this.#coming ??= { sinceMs: nowMs, untilMs: Number.NEGATIVE_INFINITY }
    const look = { standing: this.#seen.standing, nowMs }
    const mayComeIn = this.#touch === null || this.#touch.mayComeIn(look, this.#coming.sinceMs)
    const state = mayComeIn ? 'alive' : 'coming'
    await this.#write({ ...row, ...this.#reached(), counter: row.counter + 1, state }, row)
  }

  async #write(lease: NodeLease, over: NodeLease | null): Promise<void> {
    const startMs = this.#clock.nowMs()
    if (!(await this.#limited(this.#store.join(lease, over)))) return
    if (lease.state === 'alive') return this.#begin(lease, startMs)
    this.#coming ??= { sinceMs: this.#runtime.monotonicMs(), untilMs: startMs }
    this.#coming.untilMs = startMs + this.#settings.validMs
  }

  #begin(lease: NodeLease, startMs: number): void {
    if (this.#stop.signal.aborted) return
    this.#lease = lease
    this.#joining = null
    this.#coming = null
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
      renewed = await this.#limited(this.#store.renew({ ...lease, ...this.#reached() }))
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

  /** Others take the shards as those of a node that left; this one comes again when it reaches them. */
  async #leaveOutOfTouch(): Promise<void> {
    const incarnation = this.incarnation()
    this.#endSession()
    this.#touch?.leaves()
    if (incarnation !== null) await this.#giveUp(incarnation)
  }

  async #giveUp(incarnation: string): Promise<void> {
    const row = await this.#limited(this.#ownRow())
    if (row?.incarnation === incarnation) await this.#limited(this.#store.leave(row))
  }

  #endSession(): void {
    this.#session?.end()
    this.#session = null
    this.#lease = null
    this.#joining = null
    this.#coming = null
    this.#isToLeave = false
  }

  async #watch(): Promise<void> {
    const still = await this.#seen.look()
    // A node that cannot confirm its own row is just as likely the one that is cut off.
    if (!this.#isConfirmed()) return
    for (const row of still) {
      if (await this.#limited(this.#store.declareDead(row))) this.#seen.forget(row.node)
    }
    if (this.#session === null || this.#touch === null) return
    const look = { standing: this.#seen.standing, nowMs: this.#runtime.monotonicMs() }
    this.#isToLeave = this.#touch.mustLeave(look)
  }

  #isConfirmed(): boolean {
    if (this.#session !== null) return this.#session.valid()
    return this.#coming !== null && this.#clock.nowMs() < this.#coming.untilMs
  }

  #newLease(): NodeLease {
    const { node, address } = this.#node
    const own = {
      node,
      address,
      linkAddress: this.#linkAddress,
      incarnation: this.#runtime.newId(),
      counter: 0,
    }
    return { ...own, state: this.#touch === null ? 'alive' : 'coming', ...this.#reached() }
  }

  #reached(): Pick<NodeLease, 'reached'> {
    return this.#touch === null ? {} : { reached: this.#touch.reached }
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
