import type { ActorState } from './actor-state.ts'
import type { AnyActorDefinition } from './definition.ts'
import type { Pending } from './group-commit.ts'
import type { Sleeper } from './eviction.ts'
import type { Work } from './pending-command.ts'
import { HostedActor } from './resident-actor.ts'
import { WorkQueue } from './pending-queue.ts'

export type PendingEntry = Pending<Resident, Work>

/**
 * loading → active ⇄ keying, active → crashed → loading again or gone.
 * `keying`: its data key is being made, nothing is decided until it is durable. `crashed`: what it decided before is
 * still on its way into the journal, from which it is loaded anew after that.
 */
export type Phase = 'loading' | 'active' | 'keying' | 'crashed' | 'gone'

export type EffectRun = {
  state: 'queued' | 'running' | 'failed'
  attempts: number
  retryAtMs: number
}

/** The shard in which a resident lives. */
export type Home = {
  turn(resident: Resident): void
  crashed(resident: Resident, error: unknown): void
  passivate(resident: Resident): void
}

/** An actor in memory: its cell, what waits for it, and what must be over before it may leave. */
export class Resident extends HostedActor implements Sleeper {
  readonly actor: string
  readonly definition: AnyActorDefinition
  readonly home: Home
  phase: Phase = 'loading'
  cell: ActorState | null = null
  readonly queue = new WorkQueue()
  /** In whose midst a crash happened. */
  current: Work | null = null
  /** Admitted and not answered yet. */
  waiting = 0
  /** Reasons to stay: running effects, key operations, wholes. */
  pins = 0
  newest: PendingEntry | null = null
  effects: Map<string, EffectRun> | null = null
  /** Answers that wait for the deletion of the data key; null while it is not under way. */
  erasing: Work[] | null = null
  savingSnapshot = false
  /** It had entries in the batch that was just committed. */
  settling = false
  usedMs = 0
  older: Sleeper | null = null
  newer: Sleeper | null = null

  constructor(actor: string, definition: AnyActorDefinition, home: Home) {
    super()
    this.actor = actor
    this.definition = definition
    this.home = home
  }

  get idle(): boolean {
    return (
      this.phase === 'active' &&
      this.wakeUp === 'none' &&
      this.waiting === 0 &&
      this.pins === 0 &&
      this.queue.isEmpty &&
      this.newest === null
    )
  }

  /** Nothing waits for it and nothing of it is under way, so that a question would be answered next. */
  get unoccupied(): boolean {
    return this.phase === 'active' && this.queue.isEmpty && this.newest === null && this.current === null
  }

  /** False for an id under which nothing was ever committed or decided. */
  get exists(): boolean {
    return this.cell !== null && this.cell.seq > 0
  }

  run(): void {
    this.home.turn(this)
  }

  crashed(error: unknown): void {
    this.home.crashed(this, error)
  }

  passivate(): void {
    this.home.passivate(this)
  }
}
