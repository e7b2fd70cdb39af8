import type { AnyActorDefinition } from '../definition.ts'
import { LinkedList } from '../linked-list.ts'
import type { ActorState } from '../state/actor-state.ts'
import type { PendingCommand } from '../commands/pending-command.ts'
import type { Evictable } from './eviction.ts'
import { HostedActor } from './resident-actor.ts'

/**
 * What a resident goes through. Its phases are changed by `shard-residents.ts` alone.
 *
 *     loading                              its events are read; commands wait
 *        │  └───────────────────▶ gone       the journal does not answer, or its text cannot be read
 *        ▼
 *     active ⇄ waiting-for-key             its first personal data wait for a data key; nothing is decided
 *        │  └───────────────────▶ gone       idle for long, room is needed, or nothing waits and it has no events or
 *        │                                 only to be forgotten
 *        ▼
 *     crashed                              a command threw, or a key above its own was erased; what was decided
 *        │                                 before is still being committed
 *        │  └───────────────────▶ gone       nothing waits for it
 *        ▼
 *     loading                              it is loaded again for the commands that wait
 *
 * An active one takes its commands one after the other (`command-runner.ts`). Each is decided on the newest state
 * (`actor-state.ts`), its entry goes into the next batch (`commit-queue.ts`), and after the commit the reply leaves
 * (`data-keys.ts`) and what the state owes is begun (`effects.ts`). The loss of the shard ends every phase.
 */
export type Phase = 'loading' | 'active' | 'waiting-for-key' | 'crashed' | 'gone'

/** A decided entry of the actor that is not known to be committed. */
export type UncommittedEntry = {
  /** The order of decision within the shard. */
  readonly ordinal: number
  /** How long its commit may wait for another. */
  lingerMs: number
  /** Commands that are answered after its commit. */
  readonly answeredAfter: PendingCommand[]
}

/** The shard in which a resident lives. */
export type Home = {
  run(resident: Resident): void
  crashed(resident: Resident, error: unknown): void
  /** Entries of it were just committed. */
  settled(resident: Resident): void
  evict(resident: Resident): void
  leave(resident: Resident): void
  leaveIfSpent(resident: Resident): void
  /** A command of the host's own; resolves when it is committed. */
  tell(actor: string, definition: AnyActorDefinition, command: unknown): Promise<unknown>
}

/** An actor in memory: its state, the commands that wait for it, and what must be over before it may leave. */
export class Resident extends HostedActor implements Evictable {
  readonly actor: string
  readonly definition: AnyActorDefinition
  readonly home: Home
  readonly commands = new LinkedList<PendingCommand>()
  /** The command that is being decided: a crash is its answer. */
  current: PendingCommand | null = null
  #pins = 0

  // Written by shard-residents.ts.
  phase: Phase = 'loading'
  /** Null while it is loaded, and after a crash until it is loaded again. */
  state: ActorState | null = null
  isSavingSnapshot = false

  /** Admitted commands that are not answered yet; written by shard-host.ts. */
  waiting = 0

  // Written by commit-queue.ts.
  newestEntry: UncommittedEntry | null = null
  /** It had entries in the batch that was just committed. */
  isSettling = false

  /** Commands that wait for the deletion of the data key, null while that is not under way; written by data-keys.ts. */
  erasing: PendingCommand[] | null = null

  /** Written by body-deletions.ts. */
  isDeletingBodies = false

  // Written by eviction.ts.
  usedMs = 0
  isSpent = false
  previous: Evictable | null = null
  next: Evictable | null = null

  constructor(actor: string, definition: AnyActorDefinition, home: Home) {
    super()
    this.actor = actor
    this.definition = definition
    this.home = home
  }

  run(): void {
    this.home.run(this)
  }

  crashed(error: unknown): void {
    this.home.crashed(this, error)
  }

  evict(): void {
    this.home.evict(this)
  }

  leave(): void {
    this.home.leave(this)
  }

  /** Keeps it in memory: an effect is performed, a key is made or erased, a command to several actors needs it. */
  pin(): void {
    this.#pins++
  }

  unpin(): void {
    this.#pins--
    this.home.leaveIfSpent(this)
  }

  get isNeeded(): boolean {
    return this.#pins > 0 || this.commands.first !== null
  }

  get isIdle(): boolean {
    return this.isUnoccupied && this.wakeUp === 'none' && this.waiting === 0 && this.#pins === 0
  }

  /** Nothing waits for it and nothing it decided is uncommitted, so that a question would be answered next. */
  get isUnoccupied(): boolean {
    return (
      this.phase === 'active' &&
      this.commands.first === null &&
      this.newestEntry === null &&
      this.current === null
    )
  }

  /** False for an id under which nothing was ever committed or decided. */
  get exists(): boolean {
    return this.state !== null && this.state.seq > 0
  }

  failCommands(error: Error, ofCurrent: Error = error): void {
    this.current?.fail(ofCurrent)
    this.current = null
    for (let command = this.commands.shift(); command !== null; command = this.commands.shift())
      command.fail(error)
  }
}
