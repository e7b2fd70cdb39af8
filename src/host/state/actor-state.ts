import { isRefused, type Timer } from '../../domain/decider.ts'
import { neverGone, type AnyActorDefinition, type FieldSeal } from '../definition.ts'
import type { LastSnapshot, StoredActor, StoredSnapshot, TimerRow } from '../../ports/journal.ts'
import { KeyLost, LostSeal } from '../../ports/vault.ts'
import { KeptBodies } from './kept-bodies.ts'
import type { Decision, Handled } from './decision.ts'
import { RecentCommands } from './recent-commands.ts'
import { unwrapSnapshot, wrapSnapshot } from './snapshot-envelope.ts'
import { FORGET_TIMER, OWED_TIMER, asks, timerChanges } from '../timers/shard-timers.ts'
import { hostRowChanges } from './host-rows.ts'

const NEEDS_KEY = { is: 'needs-key' } as const
const NONE: readonly never[] = []

/**
 * The state of one actor in memory, its sequence and the commands that it remembers. It decides ahead on uncommitted
 * state; the host appends the entries in the order in which they were decided and reports what became of them.
 */
export class ActorState {
  readonly actor: string
  readonly definition: AnyActorDefinition
  seal: FieldSeal | null = null
  /** The wake-up row of what is owed, where it is known; the driver may move it. */
  owedRow: TimerRow | null = null
  /** The wake-up row of what may be forgotten, where it is known. */
  forgetRow: TimerRow | null = null
  /** A reader of the log was found behind it when its events were to go, and may stay behind for days. */
  waitsForReader = false
  /** Set by the driver when the data key of an erased actor is gone from the vault. */
  keyErased = false
  readonly bodies: KeptBodies
  #state: unknown
  #seq = 0
  #timers: readonly Timer[] = []
  #owes = false
  #snapshotSeq = 0
  readonly #recent = new RecentCommands()
  /** The oldest first; most of the time there is none, and an empty list of its own would cost every resident. */
  #ahead: Decision[] | null = null

  constructor(definition: AnyActorDefinition, actor: string) {
    this.actor = actor
    this.definition = definition
    this.bodies = new KeptBodies(definition)
    this.#state = definition.decider.initialState
    this.#derive()
  }

  /** Throws on a gap, on text the codec refuses and on an impossible event. */
  static recover(
    definition: AnyActorDefinition,
    actor: string,
    stored: StoredActor,
    seal: FieldSeal | null,
  ): ActorState {
    const recovered = new ActorState(definition, actor)
    recovered.seal = seal
    recovered.#restore(stored)
    return recovered
  }

  /** Its personal fields cannot be read any more and it was not erased: it can be read, and nothing happens to it. */
  get isLost(): boolean {
    return this.seal instanceof LostSeal
  }

  /** A key above its own was erased: what is in memory shows more than what can be read now. */
  get isOutdated(): boolean {
    return this.seal?.gone === true && !this.definition.erased(this.#state)
  }

  /** The newest state, uncommitted decisions included. */
  get state(): unknown {
    return this.#state
  }

  get committedState(): unknown {
    const oldest = this.#ahead?.[0]
    return oldest === undefined ? this.#state : oldest.stateBefore
  }

  get seq(): number {
    return this.#seq
  }

  get committedSeq(): number {
    const oldest = this.#ahead?.[0]
    return oldest === undefined ? this.#seq : oldest.entry.seq - 1
  }

  /** How many entries were decided and are not known to be committed. */
  get uncommitted(): number {
    return this.#ahead?.length ?? 0
  }

  /** A repetition gets its reply from the state; everything else is decided. `nowMs` dates the wake-up of what is owed. */
  handle(command: unknown, commandId: string | null, nowMs: number): Handled {
    if (commandId !== null && this.knows(commandId))
      return { is: 'decided', reply: this.replyTo(command), entry: null }
    return this.decide(command, commandId, nowMs)
  }

  /** From the newest state; it may leave only when that is committed. */
  read(view: string): unknown {
    const show = this.definition.decider.views[view]
    if (show === undefined) throw new Error(`${this.definition.kind} has no view ${view}`)
    return show(this.#state)
  }

  /** True while a decision is not known to be committed. */
  get isAhead(): boolean {
    return this.#ahead !== null
  }

  knows(commandId: string): boolean {
    return this.#recent.has(commandId)
  }

  replyTo(command: unknown): unknown {
    return this.definition.decider.reply(this.#state, command)
  }

  /** Nothing has changed when this throws. */
  decide(command: unknown, commandId: string | null, nowMs: number): Handled {
    if (this.isLost) throw new KeyLost(this.actor)
    const { decider, events: codec, keyParent, dated } = this.definition
    const decided = decider.decide(this.#state, dated?.(command, Math.floor(nowMs)) ?? command)
    if (isRefused(decided)) return { is: 'decided', reply: decided, entry: null }
    const first: unknown = decided[0]
    if (first === undefined) return { is: 'decided', reply: decider.reply(this.#state, command), entry: null }
    if (keyParent !== null && this.seal === null) return NEEDS_KEY
    // A list that begins with its first text has the right size in the usual case of one event.
    let state: unknown = decider.evolve(this.#state, first)
    const encoded = [codec.encode(first, this.seal)]
    for (let index = 1; index < decided.length; index++) {
      const event: unknown = decided[index]
      state = decider.evolve(state, event)
      encoded.push(codec.encode(event, this.seal))
    }
    return this.#advance(state, encoded, decider.reply(state, command), commandId, nowMs)
  }

  /** The oldest uncommitted entry is committed. */
  commit(): void {
    const oldest = this.#ahead?.shift()
    if (oldest === undefined) throw new Error(`${this.actor} has nothing to commit`)
    if (this.#ahead?.length === 0) this.#ahead = null
    if (oldest.entry.commandId !== null) this.#recent.commitOldest()
  }

  /** Takes the newest entries back until `remaining` are left: those of an atomic command, or all after a failed append. */
  discard(remaining = 0): void {
    const [oldest, ...newer] = this.#ahead?.splice(remaining) ?? []
    if (oldest === undefined) return
    if (this.#ahead?.length === 0) this.#ahead = null
    this.#state = oldest.stateBefore
    this.#seq = oldest.entry.seq - 1
    this.#timers = oldest.timersBefore
    this.#owes = oldest.owedBefore
    this.owedRow = oldest.owedRowBefore
    this.forgetRow = oldest.forgetRowBefore
    for (const { entry } of [oldest, ...newer]) if (entry.commandId !== null) this.#recent.discardNewest()
  }

  /** False for a row that the state no longer asks for: it is done with, without a command. */
  asksFor(row: TimerRow): boolean {
    if (this.isLost) return false
    if (row.timerId === OWED_TIMER) return this.#owes || this.owesErasure
    if (row.timerId === FORGET_TIMER) return this.isOver || this.goneAtMs !== null
    return asks(this.#timers, row.timerId, row.dueMs)
  }

  /** It is over, and owes no effect; its key, or bodies, may still have to go. */
  get isOver(): boolean {
    return this.definition.isOver(this.#state) && !this.#owes
  }

  get goneAtMs(): number | null {
    return this.#seq === 0 ? null : this.definition.goneAtMs(this.#state)
  }

  /** False while its state is not committed or cannot be read, and while its key, or bodies, have to be deleted. */
  get isAtRest(): boolean {
    return !this.isAhead && !this.owesErasure && !this.isLost && !this.isOutdated
  }

  /** To be asked for only when it is at rest. Whatever is asked of a record that is erased changes nothing, repeated or not. */
  lastSnapshot(): LastSnapshot {
    this.#snapshotSeq = this.#seq
    return this.#snapshot(this.definition.erased(this.#state) ? NONE : this.#recent.committed())
  }

  /** Whether the events in a snapshot may go although it is not over; its key, or bodies, may still have to go. */
  get foldsWhileAlive(): boolean {
    return this.definition.foldsWhileAlive && !this.owesErasure
  }

  /** Null until enough events were committed since the last one. */
  snapshotDue(): StoredSnapshot | null {
    const seq = this.committedSeq
    // What is null for want of a key must not outlast it.
    if (this.isLost || this.isOutdated) return null
    if (seq - this.#snapshotSeq < this.definition.snapshotEvery) return null
    this.#snapshotSeq = seq
    return this.#snapshot(this.#recent.committed())
  }

  #snapshot(recentCommands: readonly string[]): StoredSnapshot {
    const state = this.definition.snapshots.encode(this.committedState, this.seal)
    const data = wrapSnapshot({ recentCommands, state })
    return { seq: this.committedSeq, data }
  }

  #restore({ snapshot, events }: StoredActor): void {
    const { decider, events: eventCodec, snapshots } = this.definition
    if (snapshot !== null) {
      const envelope = unwrapSnapshot(snapshot.data)
      this.#state = snapshots.decode(envelope.state, this.seal)
      this.#seq = snapshot.seq
      this.#snapshotSeq = snapshot.seq
      for (const commandId of envelope.recentCommands) this.#recent.restore(commandId)
    }
    for (const { seq, commandId, data } of events) {
      if (seq <= this.#seq) continue
      if (seq !== this.#seq + 1 && !this.#beginsAnew)
        throw new Error(`${this.actor} has event ${seq} after event ${this.#seq}`)
      this.#state = decider.evolve(this.#state, eventCodec.decode(data, this.seal))
      this.#seq = seq
      if (commandId !== null) this.#recent.restore(commandId)
    }
    this.bodies.recovered(this.#state)
    this.#derive()
  }

  /** Of a record that has been gone once, a node that was late may have let the beginning of its next life go too. */
  get #beginsAnew(): boolean {
    return this.#seq === 0 && this.definition.goneAtMs !== neverGone
  }

  #advance(
    state: unknown,
    events: readonly string[],
    reply: unknown,
    commandId: string | null,
    nowMs: number,
  ): Handled {
    const { decider } = this.definition
    const timers = decider.timers?.(state) ?? NONE
    const owes = (decider.owed?.(state) ?? NONE).length > 0
    const stateBefore = this.#state
    const timersBefore = this.#timers
    const owedBefore = this.#owes
    const owedRowBefore = this.owedRow
    const forgetRowBefore = this.forgetRow
    const seq = this.#seq + 1
    this.#state = state
    this.#seq += events.length
    this.#timers = timers
    this.#owes = owes
    const { set, cleared } = timerChanges(this.actor, timersBefore, timers)
    const owesDeletion = this.bodies.owesDeletion(state)
    const losesKey = this.#owesKeyErasure(state) && !this.definition.erased(stateBefore)
    const begins = owes || losesKey || owesDeletion
    const own = hostRowChanges(this, { owedBefore, begins, ends: !owes && !this.owesErasure }, nowMs)
    const timersSet = own.set.length === 0 ? set : [...set, ...own.set]
    const timersCleared = own.cleared.length === 0 ? cleared : [...cleared, ...own.cleared]
    const entry = { actor: this.actor, seq, commandId, events, timersSet, timersCleared }
    const decision = {
      is: 'decided',
      reply,
      entry,
      stateBefore,
      timersBefore,
      owedBefore,
      owedRowBefore,
      forgetRowBefore,
    } as const
    if (this.#ahead === null) this.#ahead = [decision]
    else this.#ahead.push(decision)
    if (commandId !== null) this.#recent.add(commandId)
    return decision
  }

  /** Its key, or bodies, are to be deleted. */
  get owesErasure(): boolean {
    return this.#owesKeyErasure(this.#state) || this.bodies.owesDeletion(this.#state)
  }

  #owesKeyErasure(state: unknown): boolean {
    return this.definition.keyParent !== null && !this.keyErased && this.definition.erased(state)
  }

  #derive(): void {
    const { decider } = this.definition
    this.#timers = decider.timers?.(this.#state) ?? NONE
    this.#owes = (decider.owed?.(this.#state) ?? NONE).length > 0
  }
}
