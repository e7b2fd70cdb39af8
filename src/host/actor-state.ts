import type { Timer } from '../domain/decider.ts'
import { isRefused } from '../domain/refused.ts'
import type { AnyActorDefinition, FieldSeal } from './definition.ts'
import type { JournalEntry, StoredActor, StoredSnapshot, TimerRow } from '../ports/journal.ts'
import { RecentCommands } from './recent-commands.ts'
import { unwrapSnapshot, wrapSnapshot } from './snapshot-envelope.ts'
import { asks, OWED_TIMER, timerChanges } from './timer-rows.ts'

/**
 * `entry` is null when the command added no events or is a repetition. Either way the reply is built on everything
 * decided so far: it may leave only when the newest uncommitted entry of the actor is committed.
 */
export type Handled =
  | { readonly is: 'decided'; readonly reply: unknown; readonly entry: JournalEntry | null }
  /** The first events of a kind with personal fields: create the data key, set `seal`, handle the command again. */
  | { readonly is: 'needs-key' }

const NEEDS_KEY = { is: 'needs-key' } as const
const NONE: readonly never[] = []

/** An uncommitted entry with what the actor was before; linked, because a list of mostly one costs more. */
class Decided {
  readonly is = 'decided'
  readonly reply: unknown
  readonly entry: JournalEntry
  readonly state: unknown
  readonly timers: readonly Timer[]
  readonly owes: boolean
  readonly owedRow: TimerRow | null
  later: Decided | null = null

  constructor(
    reply: unknown,
    entry: JournalEntry,
    state: unknown,
    timers: readonly Timer[],
    owes: boolean,
    owedRow: TimerRow | null,
  ) {
    this.reply = reply
    this.entry = entry
    this.state = state
    this.timers = timers
    this.owes = owes
    this.owedRow = owedRow
  }
}

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
  /** Set by the driver when the data key of an erased actor is gone from the vault. */
  keyErased = false
  #state: unknown
  #seq = 0
  #timers: readonly Timer[] = []
  #owes = false
  #snapshotSeq = 0
  readonly #recent = new RecentCommands()
  #oldest: Decided | null = null
  #newest: Decided | null = null
  #uncommitted = 0

  constructor(definition: AnyActorDefinition, actor: string) {
    this.actor = actor
    this.definition = definition
    this.#state = definition.decider.initialState
    this.#derive()
  }

  /** From everything committed. Throws on a gap, on text the codec refuses and on an impossible event. */
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

  /** The newest state, uncommitted decisions included. */
  get state(): unknown {
    return this.#state
  }

  get committedState(): unknown {
    return this.#oldest === null ? this.#state : this.#oldest.state
  }

  get seq(): number {
    return this.#seq
  }

  get committedSeq(): number {
    return this.#oldest === null ? this.#seq : this.#oldest.entry.seq - 1
  }

  /** How many entries were decided and are not known to be committed. */
  get uncommitted(): number {
    return this.#uncommitted
  }

  /** A repetition gets its reply from the state; everything else is decided. `nowMs` dates the wake-up of what is owed. */
  handle(command: unknown, commandId: string | null, nowMs: number): Handled {
    if (commandId !== null && this.knows(commandId)) return this.repeat(command)
    return this.decide(command, commandId, nowMs)
  }

  /** The reply to what changes nothing; null when it would change something, or some of the state is uncommitted. */
  answer(question: unknown): { readonly reply: unknown } | null {
    if (this.#newest !== null) return null
    const { decider } = this.definition
    const decided = decider.decide(this.#state, question)
    if (isRefused(decided)) return { reply: decided }
    return decided.length === 0 ? { reply: decider.reply(this.#state, question) } : null
  }

  /** From the newest state; it may leave only when that is committed. */
  read(view: string): unknown {
    const show = this.definition.decider.views[view]
    if (show === undefined) throw new Error(`${this.definition.kind} has no view ${view}`)
    return show(this.#state)
  }

  /** True while a decision is not known to be committed. */
  get isAhead(): boolean {
    return this.#newest !== null
  }

  knows(commandId: string): boolean {
    return this.#recent.has(commandId)
  }

  repeat(command: unknown): Handled {
    return { is: 'decided', reply: this.definition.decider.reply(this.#state, command), entry: null }
  }

  /** Nothing has changed when this throws. */
  decide(command: unknown, commandId: string | null, nowMs: number): Handled {
    const { decider, events: codec, keyParent } = this.definition
    const decided = decider.decide(this.#state, command)
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
    const oldest = this.#oldest
    if (oldest === null) throw new Error(`${this.actor} has nothing to commit`)
    this.#oldest = oldest.later
    if (this.#oldest === null) this.#newest = null
    // Else the next one would live as long as this one is not collected, and so on.
    oldest.later = null
    this.#uncommitted--
    if (oldest.entry.commandId !== null) this.#recent.commitOldest()
  }

  /** Takes back the newest entries until `remaining` are left: a whole that was refused, or all after a failed append. */
  discard(remaining = 0): void {
    let kept: Decided | null = null
    let first = this.#oldest
    for (let index = 0; index < remaining && first !== null; index++) {
      kept = first
      first = first.later
    }
    if (first === null) return
    this.#state = first.state
    this.#seq = first.entry.seq - 1
    this.#timers = first.timers
    this.#owes = first.owes
    this.owedRow = first.owedRow
    for (let gone: Decided | null = first; gone !== null; gone = gone.later) {
      this.#uncommitted--
      if (gone.entry.commandId !== null) this.#recent.discardNewest()
    }
    this.#newest = kept
    if (kept === null) this.#oldest = null
    else kept.later = null
  }

  /** False for a row that the state no longer asks for: it is done with, without a command. */
  asksFor(row: TimerRow): boolean {
    if (row.timerId === OWED_TIMER) return this.#owes || this.#owesKeyErasure(this.#state)
    return asks(this.#timers, row.timerId, row.dueMs)
  }

  /** Null until enough events were committed since the last one. */
  snapshotDue(): StoredSnapshot | null {
    const seq = this.committedSeq
    if (seq - this.#snapshotSeq < this.definition.snapshotEvery) return null
    this.#snapshotSeq = seq
    const state = this.definition.snapshots.encode(this.committedState, this.seal)
    return { seq, data: wrapSnapshot({ recentCommands: this.#recent.committed(), state }) }
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
      if (seq !== this.#seq + 1) throw new Error(`${this.actor} has event ${seq} after event ${this.#seq}`)
      this.#state = decider.evolve(this.#state, eventCodec.decode(data, this.seal))
      this.#seq = seq
      if (commandId !== null) this.#recent.restore(commandId)
    }
    this.#derive()
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
    const rowBefore = this.owedRow
    const seq = this.#seq + 1
    this.#state = state
    this.#seq += events.length
    this.#timers = timers
    this.#owes = owes
    const { set, cleared } = timerChanges(this.actor, timersBefore, timers)
    const wakeUpSet = this.#wakeUpSet(stateBefore, owedBefore, nowMs)
    const wakeUpCleared = wakeUpSet === null ? this.#wakeUpCleared() : null
    const timersSet = wakeUpSet === null ? set : [...set, wakeUpSet]
    const timersCleared = wakeUpCleared === null ? cleared : [...cleared, wakeUpCleared]
    const entry = { actor: this.actor, seq, commandId, events, timersSet, timersCleared }
    const decided = new Decided(reply, entry, stateBefore, timersBefore, owedBefore, rowBefore)
    if (this.#newest === null) this.#oldest = decided
    else this.#newest.later = decided
    this.#newest = decided
    this.#uncommitted++
    if (commandId !== null) this.#recent.add(commandId)
    return decided
  }

  /** A recovered actor that owes something has a row that is not known here, so only the beginning of owing needs a new one. */
  #wakeUpSet(stateBefore: unknown, owedBefore: boolean, nowMs: number): TimerRow | null {
    if (owedBefore || this.owedRow !== null) return null
    const beginsErasure = this.#owesKeyErasure(this.#state) && !this.definition.erased(stateBefore)
    if (!this.#owes && !beginsErasure) return null
    this.owedRow = { actor: this.actor, timerId: OWED_TIMER, dueMs: nowMs }
    return this.owedRow
  }

  #wakeUpCleared(): TimerRow | null {
    if (this.#owes || this.#owesKeyErasure(this.#state)) return null
    const row = this.owedRow
    this.owedRow = null
    return row
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
