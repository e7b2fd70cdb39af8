import type { EffectGate } from './definition.ts'
import { Lane } from './effect-lane.ts'

export type EffectLimits = {
  readonly effectsAtOnceMax: number
  /** Of these, how many at most go to one recipient, who may hang. */
  readonly effectsPerRecipientMax: number
  /** Messages that take long, beside the others: their slots go to whoever waits. */
  readonly effectsSlowMax: number
  readonly effectsQueuedMax: number
}

export const CROWDED_MS = 5_000
const SLOW_MS = 1_000

/** The run ended before it did anything. */
export class HeldBack extends Error {}

/** The effect stays owed and comes again. */
export class RecipientCrowded extends HeldBack {
  constructor() {
    super('too much waits for this recipient already')
    this.name = 'RecipientCrowded'
  }
}

/**
 * How many effects of one kind are performed at once on this node, and how many may wait for it. Whoever waits stands
 * in a lane, that of an organisation or of a recipient, and the lanes have their turns one after the other: much work
 * of one delays the others by a turn, and a recipient that hangs keeps no more than its own few slots.
 */
export class EffectSlots {
  readonly #limits: EffectLimits
  readonly #lines = new Map<string, Line>()
  #nowMs = 0

  constructor(limits: EffectLimits) {
    this.#limits = limits
  }

  turn(name: string, lane: string): EffectTurn {
    return new EffectTurn(this.#find(name), lane)
  }

  /** Called again and again: many recipients that hang may hold all slots, but not for long. */
  tick(nowMs: number): void {
    this.#nowMs = nowMs
    for (const line of this.#lines.values()) line.tick(nowMs)
  }

  /** Lanes in which something waits or is under way. */
  get lanes(): number {
    return [...this.#lines.values()].reduce((sum, { lanes }) => sum + lanes, 0)
  }

  #find(name: string): Line {
    let line = this.#lines.get(name)
    if (line === undefined) {
      line = new Line(this.#limits, this.#nowMs)
      this.#lines.set(name, line)
    }
    return line
  }
}

/** One run of an effect, from its place in a lane to its end. */
export class EffectTurn implements EffectGate {
  readonly #line: Line
  readonly #key: string
  lane: Lane<EffectTurn> | null = null
  begin: (() => void) | null = null
  next: EffectTurn | null = null
  sentMs = 0
  isSlow = false

  constructor(line: Line, key: string) {
    this.#line = line
    this.#key = key
  }

  enter(begin: () => void): number | null {
    this.begin = begin
    return this.#line.enter(this, this.#key) ? null : CROWDED_MS
  }

  go(): void {
    const { begin } = this
    this.begin = null
    begin?.()
  }

  leave(): void {
    this.#line.leave(this)
  }

  forward(recipient: string): Promise<void> | null {
    let resume: (() => void) | null = null
    if (this.#line.forward(this, `to ${recipient}`, () => resume?.())) return null
    return new Promise((resolve) => {
      resume = resolve
    })
  }
}

/** The lanes of one kind of effect; each exists as long as it holds something. */
class Line {
  readonly #limits: EffectLimits
  readonly #lanes = new Map<string, Lane<EffectTurn>>()
  /** Lanes whose turn comes round: those below their share, and those that get what these leave. */
  readonly #modest = new Set<Lane<EffectTurn>>()
  readonly #greedy = new Set<Lane<EffectTurn>>()
  /** Runs with a slot that are on their way to recipients, the oldest first. */
  readonly #sent = new Set<EffectTurn>()
  #running = 0
  #slow = 0
  #waiting = 0
  #nowMs: number

  constructor(limits: EffectLimits, nowMs: number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  get lanes(): number {
    return this.#lanes.size
  }

  /** False when too many wait already. */
  enter(turn: EffectTurn, key: string): boolean {
    const { effectsAtOnceMax } = this.#limits
    const lane =
      this.#lanes.get(key) ?? this.#open(key, Math.ceil(effectsAtOnceMax / 4), effectsAtOnceMax, false)
    if (this.#running < effectsAtOnceMax && lane.running < lane.atOnceMax) {
      this.#occupy(lane, turn)
      turn.go()
      return true
    }
    if (!this.#mayWait(lane)) return false
    this.#wait(lane, turn)
    return true
  }

  leave(turn: EffectTurn): void {
    this.#release(turn)
    this.#serve()
  }

  /** True when the run keeps its slot; else it waits without one, and `resume` is called when it has one again. */
  forward(turn: EffectTurn, key: string, resume: () => void): boolean {
    const { effectsAtOnceMax, effectsPerRecipientMax } = this.#limits
    const atOnceMax = Math.min(effectsAtOnceMax, effectsPerRecipientMax)
    const lane = this.#lanes.get(key) ?? this.#open(key, atOnceMax, atOnceMax, true)
    if (turn.lane === lane) return true
    const isFree = lane.waiting === 0 && lane.running < lane.atOnceMax
    if (!isFree && !this.#mayWait(lane)) throw new RecipientCrowded()
    this.#release(turn)
    if (isFree) this.#occupy(lane, turn)
    else {
      turn.begin = resume
      this.#wait(lane, turn)
    }
    this.#serve()
    return isFree
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs
    if (this.#waiting === 0) return
    for (const turn of this.#sent) {
      if (nowMs - turn.sentMs < SLOW_MS || this.#slow >= this.#limits.effectsSlowMax) break
      this.#sent.delete(turn)
      turn.isSlow = true
      this.#running--
      this.#slow++
    }
    this.#serve()
  }

  /** However much one lane has waiting, there is as much room again for the others. */
  #mayWait(lane: Lane<EffectTurn>): boolean {
    const room = this.#limits.effectsQueuedMax - this.#waiting
    if (lane.waiting < room) return true
    this.#place(lane)
    return false
  }

  #wait(lane: Lane<EffectTurn>, turn: EffectTurn): void {
    lane.push(turn)
    this.#waiting++
    this.#place(lane)
  }

  #occupy(lane: Lane<EffectTurn>, turn: EffectTurn): void {
    turn.lane = lane
    lane.running++
    this.#running++
    if (!lane.isRecipient) return
    turn.sentMs = this.#nowMs
    this.#sent.add(turn)
  }

  #release(turn: EffectTurn): void {
    const { lane } = turn
    if (lane === null) return
    turn.lane = null
    lane.running--
    if (turn.isSlow) this.#slow--
    else this.#running--
    turn.isSlow = false
    this.#sent.delete(turn)
    this.#place(lane)
  }

  #serve(): void {
    while (this.#waiting > 0 && this.#running < this.#limits.effectsAtOnceMax) {
      const [lane] = this.#modest.size > 0 ? this.#modest : this.#greedy
      const turn = lane?.shift()
      if (!lane || !turn) return
      this.#waiting--
      this.#occupy(lane, turn)
      // What it has left to do comes after all others.
      this.#modest.delete(lane)
      this.#greedy.delete(lane)
      this.#place(lane)
      turn.go()
    }
  }

  /** Keeps its place among those of its sort: who gives a slot back must not lose its turn by that. */
  #place(lane: Lane<EffectTurn>): void {
    const { running, waiting, share, atOnceMax } = lane
    const mayHaveMore = waiting > 0 && running < atOnceMax
    if (mayHaveMore && running < share) this.#modest.add(lane)
    else this.#modest.delete(lane)
    if (mayHaveMore && running >= share) this.#greedy.add(lane)
    else this.#greedy.delete(lane)
    if (waiting === 0 && running === 0) this.#lanes.delete(lane.key)
  }

  #open(key: string, share: number, atOnceMax: number, isRecipient: boolean): Lane<EffectTurn> {
    const lane = new Lane<EffectTurn>(key, share, atOnceMax, isRecipient)
    this.#lanes.set(key, lane)
    return lane
  }
}
