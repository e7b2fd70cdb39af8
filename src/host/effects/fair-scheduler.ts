import type { EffectGate } from '../definition.ts'
import { type Linked, LinkedList } from '../linked-list.ts'

export type EffectLimits = {
  readonly effectsAtOnceMax: number
  /** Of these, how many at most go to one recipient, who may hang. */
  readonly effectsPerRecipientMax: number
  /** Messages that take long, beside the others: their slots go to the effects that wait. */
  readonly effectsSlowMax: number
  readonly effectsQueuedMax: number
}

/** How long an effect is postponed that found too many waiting. */
export const QUEUE_FULL_MS = 5_000
const SLOW_MS = 1_000

/** The run ended before it did anything. */
export class EffectNotBegun extends Error {}

/** The effect stays owed and comes again. */
export class RecipientBusy extends EffectNotBegun {
  constructor() {
    super('too much waits for this recipient already')
    this.name = 'RecipientBusy'
  }
}

/**
 * How many effects of one kind are performed at once on this node, and how many may wait for it. Effects wait in
 * groups, those of an organisation or of a recipient, and the groups are served in rotation: much work of one group
 * delays the others by one effect, and a recipient that hangs keeps no more than its own few slots.
 */
export class FairScheduler {
  readonly #limits: EffectLimits
  readonly #kinds = new Map<string, KindScheduler>()
  #nowMs = 0

  constructor(limits: EffectLimits) {
    this.#limits = limits
  }

  newRun(kind: string, group: string): EffectRun {
    let scheduler = this.#kinds.get(kind)
    if (scheduler === undefined) {
      scheduler = new KindScheduler(this.#limits, this.#nowMs)
      this.#kinds.set(kind, scheduler)
    }
    return new EffectRun(scheduler, group)
  }

  /** To be called again and again: many recipients that hang may hold all slots, but not for long. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
    for (const scheduler of this.#kinds.values()) scheduler.tick(nowMs)
  }

  /** Groups in which something waits or is under way. */
  get groups(): number {
    return [...this.#kinds.values()].reduce((sum, { groups }) => sum + groups, 0)
  }
}

/** One run of an effect, from its place in a group to its end. */
export class EffectRun implements EffectGate, Linked<EffectRun> {
  readonly #scheduler: KindScheduler
  readonly #groupKey: string
  /** The group whose slot it has. */
  group: Group | null = null
  begin: (() => void) | null = null
  previous: EffectRun | null = null
  next: EffectRun | null = null
  sentMs = 0
  isSlow = false

  constructor(scheduler: KindScheduler, groupKey: string) {
    this.#scheduler = scheduler
    this.#groupKey = groupKey
  }

  enter(begin: () => void): number | null {
    this.begin = begin
    return this.#scheduler.enter(this, this.#groupKey) ? null : QUEUE_FULL_MS
  }

  leave(): void {
    this.#scheduler.leave(this)
  }

  forward(recipient: string): Promise<void> | null {
    let resume: (() => void) | null = null
    if (this.#scheduler.forward(this, `to ${recipient}`, () => resume?.())) return null
    return new Promise((resolve) => {
      resume = resolve
    })
  }
}

/** The effects of one organisation, one shard or one recipient, first come, first served. */
type Group = {
  readonly key: string
  /** The slots that it may have although others wait. */
  readonly share: number
  readonly atOnceMax: number
  readonly isRecipient: boolean
  readonly waiting: LinkedList<EffectRun>
  waitingCount: number
  running: number
}

/** The groups of one kind of effect; each exists as long as it holds something. */
class KindScheduler {
  readonly #limits: EffectLimits
  readonly #groups = new Map<string, Group>()
  /** Groups that may have another slot, in rotation: those below their share, and those that get what these leave. */
  readonly #belowShare = new Set<Group>()
  readonly #aboveShare = new Set<Group>()
  /** Runs with a slot that are on their way to recipients, the oldest first. */
  readonly #sent = new Set<EffectRun>()
  #running = 0
  #slow = 0
  #waiting = 0
  #nowMs: number

  constructor(limits: EffectLimits, nowMs: number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  get groups(): number {
    return this.#groups.size
  }

  /** False when too many wait already. */
  enter(run: EffectRun, key: string): boolean {
    const { effectsAtOnceMax } = this.#limits
    const share = Math.ceil(effectsAtOnceMax / 4)
    const group = this.#groups.get(key) ?? this.#open(key, share, effectsAtOnceMax, false)
    if (this.#running < effectsAtOnceMax && group.running < group.atOnceMax) {
      this.#occupy(group, run)
      begin(run)
      return true
    }
    if (!this.#mayWait(group)) return false
    this.#wait(group, run)
    return true
  }

  leave(run: EffectRun): void {
    this.#release(run)
    this.#serve()
  }

  /** True when the run keeps its slot; else it waits without one, and `resume` is called when it has one again. */
  forward(run: EffectRun, key: string, resume: () => void): boolean {
    const { effectsAtOnceMax, effectsPerRecipientMax } = this.#limits
    const atOnceMax = Math.min(effectsAtOnceMax, effectsPerRecipientMax)
    const group = this.#groups.get(key) ?? this.#open(key, atOnceMax, atOnceMax, true)
    if (run.group === group) return true
    const isFree = group.waitingCount === 0 && group.running < group.atOnceMax
    if (!isFree && !this.#mayWait(group)) throw new RecipientBusy()
    this.#release(run)
    if (isFree) this.#occupy(group, run)
    else {
      run.begin = resume
      this.#wait(group, run)
    }
    this.#serve()
    return isFree
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (this.#waiting === 0) return
    for (const run of this.#sent) {
      if (nowMs - run.sentMs < SLOW_MS || this.#slow >= this.#limits.effectsSlowMax) break
      this.#sent.delete(run)
      run.isSlow = true
      this.#running--
      this.#slow++
    }
    this.#serve()
  }

  /** However much one group has waiting, there is as much room again for the others. */
  #mayWait(group: Group): boolean {
    if (group.waitingCount < this.#limits.effectsQueuedMax - this.#waiting) return true
    this.#place(group)
    return false
  }

  #wait(group: Group, run: EffectRun): void {
    group.waiting.push(run)
    group.waitingCount++
    this.#waiting++
    this.#place(group)
  }

  #occupy(group: Group, run: EffectRun): void {
    run.group = group
    group.running++
    this.#running++
    if (!group.isRecipient) return
    run.sentMs = this.#nowMs
    this.#sent.add(run)
  }

  #release(run: EffectRun): void {
    const { group } = run
    if (group === null) return
    run.group = null
    group.running--
    if (run.isSlow) this.#slow--
    else this.#running--
    run.isSlow = false
    this.#sent.delete(run)
    this.#place(group)
  }

  #serve(): void {
    while (this.#waiting > 0 && this.#running < this.#limits.effectsAtOnceMax) {
      const [group] = this.#belowShare.size > 0 ? this.#belowShare : this.#aboveShare
      const run = group?.waiting.shift()
      if (!group || !run) return
      group.waitingCount--
      this.#waiting--
      this.#occupy(group, run)
      // The rest of the group comes after all other groups.
      this.#belowShare.delete(group)
      this.#aboveShare.delete(group)
      this.#place(group)
      begin(run)
    }
  }

  /** A group that gives a slot back keeps its place in the rotation. */
  #place(group: Group): void {
    const { running, waitingCount, share, atOnceMax } = group
    const mayHaveMore = waitingCount > 0 && running < atOnceMax
    if (mayHaveMore && running < share) this.#belowShare.add(group)
    else this.#belowShare.delete(group)
    if (mayHaveMore && running >= share) this.#aboveShare.add(group)
    else this.#aboveShare.delete(group)
    if (waitingCount === 0 && running === 0) this.#groups.delete(group.key)
  }

  #open(key: string, share: number, atOnceMax: number, isRecipient: boolean): Group {
    const waiting = new LinkedList<EffectRun>()
    const group = { key, share, atOnceMax, isRecipient, waiting, waitingCount: 0, running: 0 }
    this.#groups.set(key, group)
    return group
  }
}

const begin = (run: EffectRun): void => {
  const { begin: start } = run
  run.begin = null
  start?.()
}
