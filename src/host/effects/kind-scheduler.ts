import { HostSlots, TenantLanes, type Lane, type ReceiverPace, type Run } from './lanes.ts'
import { QUEUE_FULL_MS, RecipientBusy } from './not-begun.ts'

export type EffectLimits = {
  readonly effectsAtOnceMax: number
  /** Of these, how many at most go to one recipient, who may hang. */
  readonly effectsPerRecipientMax: number
  /** Messages that take long, beside the others: their slots go to the effects that wait. */
  readonly effectsSlowMax: number
  readonly effectsQueuedMax: number
}

export type EffectClock = {
  readonly nowMs: () => number
  /** A tick is wanted in so many milliseconds. */
  readonly wanted: (inMs: number) => void
}

const SLOW_MS = 1_000

/**
 * The slots of one kind of effect. Organisations have their turns one after the other, those below a quarter of the
 * slots first, and in its turn an organisation goes on with the next of its lanes. A message that is under way for a
 * second gives its slot up and goes on beside the others.
 */
export class KindScheduler {
  readonly #limits: EffectLimits
  readonly #paceOf: (host: string) => ReceiverPace
  /** The slots that an organisation may have although others wait. */
  readonly #share: number
  /** Never all of them, so that another that comes finds some at once. */
  readonly #ofOneMax: number
  readonly #tenants = new Map<string, TenantLanes>()
  readonly #hosts = new Map<string, HostSlots>()
  /** Organisations with a lane that is ready, in rotation: those below their share, and those that get what these leave. */
  readonly #belowShare = new Set<TenantLanes>()
  readonly #aboveShare = new Set<TenantLanes>()
  /** Runs with a slot that are on their way to hosts, the oldest first. */
  readonly #sent = new Set<Run>()
  #running = 0
  #slow = 0
  #waiting = 0
  #isServing = false
  readonly #clock: EffectClock

  constructor(limits: EffectLimits, paceOf: (host: string) => ReceiverPace, clock: EffectClock) {
    this.#limits = limits
    this.#paceOf = paceOf
    this.#share = Math.ceil(limits.effectsAtOnceMax / 4)
    this.#ofOneMax = limits.effectsAtOnceMax - Math.floor(limits.effectsAtOnceMax / 4)
    this.#clock = clock
  }

  get groups(): number {
    return this.#tenants.size + this.#hosts.size
  }

  /** False when too many wait already. */
  enter(run: Run, key: string): boolean {
    const tenant = this.#tenants.get(key) ?? this.#openTenant(key)
    if (this.#running < this.#limits.effectsAtOnceMax && tenant.running < this.#ofOneMax) {
      this.#occupy(run, tenant, null)
      begin(run)
      return true
    }
    if (!this.#mayWait(tenant)) {
      this.#place(tenant)
      return false
    }
    this.#wait(tenant.beginning, run)
    return true
  }

  leave(run: Run, failed: boolean): void {
    const { host, sentMs } = run
    const tookMs = this.#clock.nowMs() - sentMs
    // What is refused at once holds no slot, and says nothing about whether the host hangs.
    if (host !== null && (!failed || tookMs >= SLOW_MS)) host.pace.note(!failed, tookMs)
    this.#release(run)
    this.#serve()
  }

  /** True when the run keeps its slot; else it waits without one, and `resume` is called when it has one again. */
  forward(run: Run, key: string, resume: () => void): boolean {
    const { tenant } = run
    if (tenant === null) throw new Error('the run has no slot')
    const host = this.#hosts.get(key) ?? this.#openHost(key)
    if (run.host === host) return true
    const isFree = !tenant.toHosts.has(key) && host.hasRoom && this.#maySend(tenant)
    if (!isFree) this.#checkMayWait(tenant, host)
    this.#release(run)
    // It may have had nothing but this run.
    this.#tenants.set(tenant.key, tenant)
    if (isFree) this.#occupy(run, tenant, host)
    else {
      run.begin = resume
      this.#wait(tenant.laneTo(host), run)
    }
    this.#serve()
    return isFree
  }

  tick(nowMs: number): void {
    for (const run of this.#sent) {
      if (nowMs - run.sentMs < SLOW_MS || this.#slow >= this.#limits.effectsSlowMax) break
      this.#becomeSlow(run)
    }
    this.#serve()
  }

  /** When a tick is due: a message may be slow by then, and while some wait they are looked at again and again. */
  nextMs(nowMs: number): number {
    if (this.#waiting > 0) return nowMs
    const [oldest] = this.#sent
    return oldest === undefined ? Number.POSITIVE_INFINITY : oldest.sentMs + SLOW_MS
  }

  /** However much one organisation has waiting, there is as much room again for the others. */
  #mayWait({ waitingCount }: TenantLanes): boolean {
    return waitingCount < this.#limits.effectsQueuedMax - this.#waiting
  }

  /** What waits for a host that hangs would be read again and again in vain: a few are enough to notice its return. */
  #checkMayWait(tenant: TenantLanes, host: HostSlots): void {
    const waitingForHost = tenant.toHosts.get(host.key)?.waitingCount ?? 0
    const isHeldBack = host.pace.isFailing && waitingForHost >= this.#limits.effectsPerRecipientMax
    if (!isHeldBack && this.#mayWait(tenant)) return
    this.#closeIfEmpty(host)
    throw new RecipientBusy(isHeldBack ? host.pace.comeAgainInMs(this.#clock.nowMs()) : QUEUE_FULL_MS)
  }

  /**
   * An organisation may have as many messages under way as there are slow slots left for all others: one alone half of
   * them, two a third each. While some of its messages hang it gets no more than its share of the slots for further
   * ones.
   */
  #maySend({ sending, slow }: TenantLanes): boolean {
    const left = Math.max(1, this.#limits.effectsSlowMax - this.#slow)
    return sending < (slow > 0 ? this.#share : this.#ofOneMax) && sending + slow < left
  }

  #wait(lane: Lane, run: Run): void {
    lane.tenant.push(lane, run)
    this.#waiting++
    this.#clock.wanted(0)
    this.#place(lane.tenant)
  }

  #occupy(run: Run, tenant: TenantLanes, host: HostSlots | null): void {
    run.tenant = tenant
    run.host = host
    this.#running++
    tenant.running++
    if (host === null) return
    tenant.sending++
    host.running++
    run.sentMs = this.#clock.nowMs()
    this.#sent.add(run)
    this.#clock.wanted(SLOW_MS)
    if (!host.hasRoom) this.#placeLanesOf(host)
  }

  #becomeSlow(run: Run): void {
    const { tenant } = run
    if (tenant === null) return
    this.#sent.delete(run)
    run.isSlow = true
    this.#running--
    tenant.running--
    tenant.sending--
    this.#slow++
    tenant.slow++
    this.#place(tenant)
  }

  #release(run: Run): void {
    const { tenant, host, isSlow } = run
    if (tenant === null) return
    run.tenant = null
    run.host = null
    run.isSlow = false
    if (isSlow) {
      this.#slow--
      tenant.slow--
    } else {
      this.#running--
      tenant.running--
    }
    if (host !== null) {
      this.#sent.delete(run)
      if (!isSlow) tenant.sending--
      host.running--
      this.#placeLanesOf(host)
      this.#closeIfEmpty(host)
    }
    this.#place(tenant)
  }

  /** A run that begins may pass its slot on at once, again and again: the loop goes on then, not the stack. */
  #serve(): void {
    if (this.#isServing) return
    this.#isServing = true
    try {
      while (this.#waiting > 0 && this.#running < this.#limits.effectsAtOnceMax) {
        const lane = this.#nextLane(this.#belowShare) ?? this.#nextLane(this.#aboveShare)
        const run = lane?.tenant.shift(lane)
        if (!lane || !run) return
        this.#begin(run, lane)
      }
    } finally {
      this.#isServing = false
    }
  }

  /** The rest of its organisation comes after all others. */
  #begin(run: Run, { tenant, host }: Lane): void {
    this.#waiting--
    this.#belowShare.delete(tenant)
    this.#aboveShare.delete(tenant)
    this.#occupy(run, tenant, host)
    this.#place(tenant)
    begin(run)
  }

  #nextLane(tenants: ReadonlySet<TenantLanes>): Lane | null {
    for (const tenant of tenants) {
      const [first] = tenant.ready
      if (first === undefined || tenant.running >= this.#ofOneMax) continue
      if (this.#maySend(tenant)) return first
      if (tenant.beginning.mayGo) return tenant.beginning
    }
    return null
  }

  #placeLanesOf(host: HostSlots): void {
    for (const lane of host.lanes) {
      lane.tenant.place(lane)
      this.#place(lane.tenant)
    }
  }

  /** An organisation that gives a slot back keeps its place in the rotation. */
  #place(tenant: TenantLanes): void {
    const isReady = tenant.ready.size > 0
    if (isReady && tenant.running < this.#share) this.#belowShare.add(tenant)
    else this.#belowShare.delete(tenant)
    if (isReady && tenant.running >= this.#share) this.#aboveShare.add(tenant)
    else this.#aboveShare.delete(tenant)
    if (tenant.isEmpty) this.#tenants.delete(tenant.key)
  }

  #closeIfEmpty(host: HostSlots): void {
    if (host.running === 0 && host.lanes.size === 0) this.#hosts.delete(host.key)
  }

  #openTenant(key: string): TenantLanes {
    const tenant = new TenantLanes(key)
    this.#tenants.set(key, tenant)
    return tenant
  }

  #openHost(key: string): HostSlots {
    const host = new HostSlots(key, this.#paceOf(key))
    this.#hosts.set(key, host)
    return host
  }
}

const begin = (run: Run): void => {
  const { begin: start } = run
  run.begin = null
  start?.()
}
