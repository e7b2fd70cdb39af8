import type { KeptShardMap } from '../../ports/shard-map.ts'
import { FailedOpenings } from './failed-openings.ts'
import { HandOffs } from './hand-offs.ts'
import type { HeldUp } from './held-up.ts'
import type { MapKeeperParts } from './keeper-parts.ts'
import { type Held, type Self, sayHeld, sayMember } from './own-places.ts'

/** What every node of a cluster does over and over: opens the shards that the map wants here and hands off the others. */
export class MapKeeper {
  readonly #parts: MapKeeperParts
  readonly #handOffs: HandOffs
  readonly #opening = new Set<number>()
  readonly #failed: FailedOpenings
  /** The last epoch in which this process opened each shard. */
  readonly #epochs = new Map<number, number>()
  readonly #self: Self
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #isLeaving = false
  /** When it last did what the map wants of it. */
  #followedAtMs: number
  #isFollowing = true
  /** Of which lease its hand-offs are. */
  #lease: string | null = null
  #running: Promise<void> = Promise.resolve()

  constructor(parts: MapKeeperParts) {
    const { runtime, settings } = parts
    this.#parts = parts
    this.#self = { node: parts.node, life: runtime.newId() }
    this.#failed = new FailedOpenings(runtime, {
      firstMs: settings.openAgainMs,
      maxMs: settings.openAgainMsMax,
    })
    this.#handOffs = new HandOffs(parts, () => this.#wakeUp())
    this.#followedAtMs = runtime.monotonicMs()
  }

  start(): void {
    this.#running = this.#run()
  }

  /** Whether this node is to serve the shard and does not yet; without a lease that is not known, and counts as so. */
  isToCome(shard: number): boolean {
    const { map, membership, node, server } = this.#parts
    if (this.#stop.signal.aborted || server.isOpen(shard)) return false
    return membership.session()?.valid() !== true || map.current().places[shard]?.desired === node
  }

  /** For how long nothing has come of what is this node's own to do. */
  heldUp(): HeldUp {
    const mapMs = this.#isFollowing ? this.#parts.runtime.monotonicMs() - this.#followedAtMs : 0
    return { handOffMs: this.#handOffs.longestMs, mapMs }
  }

  /** Others take what this node serves while it still serves it; where there are none, or too late, it just closes. */
  async stop(): Promise<void> {
    const { map, runtime, settings, report } = this.#parts
    this.#isLeaving = true
    // Also where there is nothing to let go: nobody is to give it anything from here on.
    const said = map.change(sayMember(this.#self, 'leaving')).catch((error: unknown) => report(null, error))
    this.#wakeUp()
    const beganMs = runtime.monotonicMs()
    let heardMs = beganMs
    while (this.#holdsAny() && this.#othersTake()) {
      const nowMs = runtime.monotonicMs()
      if (this.#isWantedElsewhere()) heardMs = nowMs
      if (nowMs - heardMs > settings.leaveUnheardMs || nowMs - beganMs > settings.leaveMs) break
      await runtime.sleep(settings.awaitingMs)
    }
    this.#stop.abort(new Error('shards are no longer kept'))
    this.#wakeUp()
    await this.#running
    this.#isFollowing = false
    await this.#handOffs.closeAll(this.#shards())
    await said
    await this.#say().catch((error: unknown) => report(null, error))
    await this.#handOffs.handedOver()
  }

  async #run(): Promise<void> {
    const { runtime, settings, report } = this.#parts
    const { signal } = this.#stop
    while (!signal.aborted) {
      this.#wake = new AbortController()
      await this.#step().catch((error: unknown) => report(null, error))
      const isQuick = this.#isAwaiting() || this.#handOffs.areToCome
      const pauseMs = isQuick ? settings.awaitingMs : settings.intervalMs
      if (!signal.aborted) await runtime.sleep(pauseMs, this.#wake.signal).catch(() => {})
    }
  }

  async #step(): Promise<void> {
    const { map, membership } = this.#parts
    // Without a lease no shard can be opened, and open ones answer nothing until the lease is renewed or over.
    if (!this.#isMember()) return this.#followed()
    this.#beginWith(membership.session()?.owner ?? null)
    await map.refreshed()
    // Decided at each try: a stop that comes in between is not taken back.
    const now = await map.change((seen) =>
      sayMember(this.#self, this.#isLeaving ? 'leaving' : 'taking')(seen),
    )
    if (!this.#isMember() || this.#stop.signal.aborted) return
    const alive = new Set(membership.alive().map((lease) => lease.node))
    this.#openWanted(now, alive)
    this.#handOffs.step(now, alive)
    this.#followed()
    await this.#say()
  }

  #followed(): void {
    this.#followedAtMs = this.#parts.runtime.monotonicMs()
  }

  #beginWith(lease: string | null): void {
    if (lease !== this.#lease) this.#handOffs.beginAnew()
    this.#lease = lease
  }

  /** The open record in the log decides whether it may; the map only keeps us from asking in vain. */
  #openWanted({ places }: KeptShardMap, alive: ReadonlySet<string>): void {
    const { node, server, settings, weightOf } = this.#parts
    const wanted = [...places.entries()].filter(([shard, { owner, desired }]) => {
      if (desired !== node || server.isOpen(shard) || this.#opening.has(shard)) return false
      if (owner !== null && owner !== node && alive.has(owner)) return false
      return !this.#handOffs.has(shard) && !this.#failed.isToRest(shard)
    })
    const hottestFirst = wanted.toSorted(([one], [other]) => weightOf(other) - weightOf(one))
    for (const [shard, { owner, epoch }] of hottestFirst.slice(0, settings.openingMax - this.#opening.size))
      void this.#open(shard, owner === null && epoch !== null ? epoch : undefined)
  }

  async #open(shard: number, releasedEpoch: number | undefined): Promise<void> {
    const { server, report } = this.#parts
    this.#opening.add(shard)
    try {
      this.#epochs.set(shard, await server.open(shard, releasedEpoch))
      this.#failed.delete(shard)
    } catch (error) {
      this.#failed.add(shard, error)
      report(shard, error)
    } finally {
      this.#opening.delete(shard)
      this.#wakeUp()
    }
    if (this.#stop.signal.aborted) await this.#handOffs.closeAll([shard])
  }

  async #say(): Promise<void> {
    await this.#parts.map.change(sayHeld(this.#parts.node, this.#held))
  }

  readonly #held = (shard: number): Held => {
    if (this.#opening.has(shard) || this.#handOffs.has(shard)) return { is: 'changing' }
    const epoch = this.#epochs.get(shard) ?? null
    if (!this.#parts.server.isOpen(shard)) return { is: 'not-served', letGo: epoch }
    return epoch === null ? { is: 'changing' } : { is: 'served', epoch }
  }

  #isMember(): boolean {
    const { node, membership } = this.#parts
    if (membership.session()?.valid() !== true) return false
    return membership.alive().some((lease) => lease.node === node)
  }

  /** The owner of a shard that is wanted here may let go at any moment. */
  #isAwaiting(): boolean {
    const { node, server, map } = this.#parts
    return map
      .current()
      .places.some(
        ({ desired }, shard) => desired === node && !server.isOpen(shard) && !this.#opening.has(shard),
      )
  }

  #holdsAny(): boolean {
    return this.#shards().some((shard) => this.#held(shard).is !== 'not-served')
  }

  #isWantedElsewhere(): boolean {
    const { node, map } = this.#parts
    return map
      .current()
      .places.some(({ desired }, shard) => desired !== node && this.#held(shard).is !== 'not-served')
  }

  #othersTake(): boolean {
    const { node, map, membership } = this.#parts
    if (!this.#isMember()) return false
    const alive = new Set(membership.alive().map((lease) => lease.node))
    return map
      .current()
      .members.some((member) => member.state === 'taking' && member.node !== node && alive.has(member.node))
  }

  #wakeUp(): void {
    this.#wake.abort(AWAKE)
  }

  #shards(): readonly number[] {
    return [...this.#parts.map.current().places.keys()]
  }
}

/** Created once: without a reason every wake-up would create an error with its stack. */
const AWAKE = new Error('there is something to do')
