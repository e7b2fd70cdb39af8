import { CommandRunner } from '../commands/command-runner.ts'
import { PendingCommand, answerOf } from '../commands/pending-command.ts'
import type { CommitQueue } from '../commit/commit-queue.ts'
import type { BodyDeletions } from '../commit/body-deletions.ts'
import type { DataKeys } from '../commit/data-keys.ts'
import { saveSnapshot } from '../commit/save-snapshot.ts'
import type { AnyActorDefinition, Registry } from '../definition.ts'
import type { Effects } from '../effects/effects.ts'
import { failureOf, notOwner, unavailable } from '../faults.ts'
import { ActorFailed } from '../../ports/actors.ts'
import type { ShardContext } from '../shard-context.ts'
import { ActorState } from '../state/actor-state.ts'
import { loadActor } from '../state/load-actor.ts'
import type { Fired, ShardTimers } from '../timers/shard-timers.ts'
import type { TimerRow } from '../../ports/journal.ts'
import { KeyUnknown } from '../../ports/vault.ts'
import { Departed } from './departed.ts'
import type { Eviction } from './eviction.ts'
import { Forgetting } from './forgetting.ts'
import { Resident, type Home } from './resident.ts'
import type { ShardSupervisor } from './resident-actor.ts'

export type ResidentsParts = {
  readonly context: ShardContext
  readonly registry: Registry
  readonly supervisor: ShardSupervisor
  readonly eviction: Eviction
  readonly keys: DataKeys
  readonly deletions: BodyDeletions
  readonly commits: CommitQueue
  readonly effects: Effects
  readonly timers: ShardTimers
}

/** The actors of one shard that are in memory, from loading to leaving: `resident.ts` has the drawing. */
export class ShardResidents implements Home {
  readonly #parts: ResidentsParts
  readonly #context: ShardContext
  readonly #forgetting: Forgetting
  readonly #runner: CommandRunner
  readonly #departed: Departed
  readonly #residents = new Map<string, Resident>()
  /** How often an actor was read from the journal. */
  loads = 0

  constructor(parts: ResidentsParts) {
    this.#parts = parts
    this.#context = parts.context
    const { context, timers } = parts
    const load = (resident: Resident): void => this.#loadAgain(resident)
    this.#forgetting = new Forgetting({ context, timers, suspend, load })
    this.#departed = new Departed({
      nowMs: () => context.runtime.now(),
      forget: (row, last) => this.#forgetting.forgetDeparted(row, last),
    })
    this.#runner = new CommandRunner({ ...parts, residents: this, forgetting: this.#forgetting })
  }

  get count(): number {
    return this.#residents.size
  }

  get(actor: string): Resident | undefined {
    return this.#residents.get(actor)
  }

  /**
   * An id without events stays only until its first commands are answered, but for kinds that say otherwise. `begins`:
   * nothing of it can be in the journal.
   */
  find(actor: string, definition: AnyActorDefinition, begins = false): Resident {
    const nowMs = this.#context.runtime.monotonicMs()
    const found = this.#residents.get(actor)
    if (found !== undefined) {
      this.used(found, nowMs)
      return found
    }
    const resident = new Resident(actor, definition, this)
    this.#residents.set(actor, resident)
    this.#parts.supervisor.start(resident)
    this.#parts.eviction.add(resident, nowMs)
    if (begins && !this.#departed.knows(actor)) {
      resident.state = new ActorState(definition, actor)
      resident.phase = 'active'
    } else this.#load(resident)
    return resident
  }

  used(resident: Resident, nowMs: number): void {
    this.#parts.eviction.used(resident, nowMs)
  }

  enqueue(resident: Resident, command: PendingCommand): void {
    resident.commands.push(command)
    this.wake(resident)
  }

  wake(resident: Resident): void {
    this.#parts.supervisor.wake(resident)
  }

  tell(actor: string, definition: AnyActorDefinition, command: unknown): Promise<unknown> {
    const pending = new PendingCommand(command, null, null, null)
    pending.isNote = definition.isNote(command)
    return this.#submit(actor, definition, pending)
  }

  /** With how many records the host may begin now whose events may go. */
  get forgetRoom(): number {
    return this.#departed.room
  }

  async fire(row: TimerRow): Promise<Fired> {
    if (this.#departed.forget(row)) return 'kept'
    const found = this.#parts.registry.find(row.actor)
    if (found === null) throw new Error(`no definition for ${row.actor}`)
    const command = new PendingCommand(null, null, null, row)
    return (await this.#submit(row.actor, found.definition, command)) as Fired
  }

  /** For a record that cannot be read, and so never comes into memory. */
  removeUnread(actor: string, definition: AnyActorDefinition): Promise<void> {
    return this.#forgetting.removeUnread(actor, definition)
  }

  run(resident: Resident): void {
    this.#runner.run(resident)
    this.leaveIfSpent(resident)
  }

  settled(resident: Resident): void {
    try {
      this.#recoverOrLeave(resident)
      this.#begin(resident)
      this.leaveIfSpent(resident)
    } catch (error) {
      this.#context.report('effect', resident.actor, error)
    }
  }

  /** The command comes first again when the key is durable: until then the actor decides nothing. */
  waitForKey(resident: Resident, command: unknown, pending: PendingCommand): void {
    resident.phase = 'waiting-for-key'
    this.#parts.keys.create(resident, command).then(
      () => this.#keyMade(resident, pending),
      (error: unknown) => {
        pending.fail(failureOf(resident.actor, error))
        this.#keyMade(resident, null)
      },
    )
  }

  /** What the actor decided before is in order: it is committed, and then the actor is loaded again. */
  crashed(resident: Resident, error: unknown): void {
    resident.phase = 'crashed'
    const failure = failureOf(resident.actor, error)
    resident.failCommands(unavailable('the actor is started again', error), failure)
    this.#recoverOrLeave(resident)
    if (failure instanceof ActorFailed) this.#context.report('decision', resident.actor, error)
  }

  loadAgain(resident: Resident): void {
    resident.phase = 'crashed'
    this.#recoverOrLeave(resident)
  }

  evict(resident: Resident): void {
    this.#remove(resident)
  }

  leave(resident: Resident): void {
    try {
      if (resident.isIdle && this.#departed.takes(resident)) this.#remove(resident)
    } catch (error) {
      // The record stays in memory, and its last snapshot is tried again when its events are to go.
      this.#context.report('snapshot', resident.actor, error)
    }
  }

  /** A record without events leaves at once, one that waits for nothing but the end of its events soon. */
  leaveIfSpent(resident: Resident): void {
    if (!resident.isIdle) return
    if (!resident.exists) {
      if (!staysUnknown(resident)) this.#remove(resident)
    } else if (this.#departed.isSpent(resident)) this.#parts.eviction.spent(resident)
  }

  /** The shard is gone: nothing here may be used again. */
  dropAll(error: Error): void {
    for (const resident of this.#residents.values()) {
      this.#remove(resident)
      resident.failCommands(error)
      for (const command of resident.erasing ?? []) command.fail(error)
    }
    this.#departed.clear()
    this.#parts.supervisor.close()
  }

  /** Work of the host's own, which is bounded where it begins. */
  #submit(actor: string, definition: AnyActorDefinition, command: PendingCommand): Promise<unknown> {
    const { ended, journal } = this.#context
    if (ended.aborted) return Promise.reject(notOwner(journal.shard))
    const answer = answerOf(command)
    this.enqueue(this.find(actor, definition), command)
    return answer
  }

  #load(resident: Resident): void {
    const { journal, vault, ended } = this.#context
    resident.phase = 'loading'
    this.loads++
    const load = () => loadActor(journal, vault, resident.definition, resident.actor)
    const leaving = this.#departed.comesBack(resident.actor)
    const loaded = leaving === null ? load() : leaving.then(load)
    loaded.then(
      (state) => {
        if (ended.aborted || resident.phase !== 'loading') return
        resident.state = state
        this.#activate(resident)
      },
      (error: unknown) => {
        if (resident.phase === 'loading') this.#loadFailed(resident, error)
      },
    )
  }

  /** After it was suspended, which seldom leaves anything to load; the shard may have ended meanwhile. */
  #loadAgain(resident: Resident): void {
    if (resident.phase !== 'loading' || this.#context.ended.aborted) return
    if (resident.isNeeded) this.#load(resident)
    else this.#remove(resident)
  }

  #activate(resident: Resident): void {
    resident.phase = 'active'
    this.settled(resident)
    if (resident.commands.first !== null) this.wake(resident)
    else this.leaveIfSpent(resident)
  }

  #loadFailed(resident: Resident, error: unknown): void {
    const failure = failureOf(resident.actor, error)
    resident.failCommands(failure)
    // A key that is not known does not come back by itself: the operator has another key store to bring.
    if (failure instanceof ActorFailed || error instanceof KeyUnknown)
      this.#context.report('recovery', resident.actor, error)
    this.#remove(resident)
  }

  #keyMade(resident: Resident, pending: PendingCommand | null): void {
    if (resident.phase !== 'waiting-for-key') {
      pending?.fail(notOwner(this.#context.journal.shard))
      return
    }
    if (pending !== null) resident.commands.unshift(pending)
    resident.phase = 'active'
    this.wake(resident)
  }

  /** After a crash, and after each commit that follows it; what has arrived meanwhile brings the actor back. */
  #recoverOrLeave(resident: Resident): void {
    if (resident.phase !== 'crashed') return
    if (resident.state?.isAhead === true) {
      this.#parts.commits.hurry(resident)
      return
    }
    resident.state = null
    if (resident.isNeeded) this.#load(resident)
    else this.#remove(resident)
  }

  /** Starts what the committed state asks for. */
  #begin(resident: Resident): void {
    const { effects, keys, deletions } = this.#parts
    effects.start(resident)
    if (keys.owesErasure(resident)) keys.erase(resident, null)
    deletions.start(resident)
    saveSnapshot(this.#context, resident)
  }

  #remove(resident: Resident): void {
    resident.phase = 'gone'
    this.#parts.supervisor.stop(resident)
    this.#residents.delete(resident.actor)
    this.#parts.eviction.remove(resident)
  }
}

/** One that could not be loaded is no news of whether there is a record. */
const staysUnknown = ({ definition, state }: Resident): boolean => definition.staysUnknown && state !== null

const suspend = (resident: Resident): void => {
  resident.phase = 'loading'
  resident.state = null
}
