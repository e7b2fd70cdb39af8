import type { AnyActorDefinition } from './definition.ts'
import { ActorFailed, failureOf, unavailable } from './faults.ts'
import { recover } from './recovery.ts'
import type { Residency } from './eviction.ts'
import { type Home, Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import type { ShardSupervisor } from './resident-actor.ts'
import type { Work } from './pending-command.ts'

export type ResidentParts = {
  readonly context: ShardContext
  readonly supervisor: ShardSupervisor
  readonly residency: Residency
  readonly run: (resident: Resident) => void
  /** Loaded and ready: what its state owes can start. */
  readonly activated: (resident: Resident) => void
}

/** The actors of one shard that are in memory: how they come, crash and leave. */
export class ShardResidents implements Home {
  readonly #parts: ResidentParts
  readonly #residents = new Map<string, Resident>()

  constructor(parts: ResidentParts) {
    this.#parts = parts
  }

  get(actor: string): Resident | undefined {
    return this.#residents.get(actor)
  }

  /** An id without events stays only until its first commands are answered. */
  find(actor: string, definition: AnyActorDefinition): Resident {
    const nowMs = this.#parts.context.runtime.monotonicMs()
    const found = this.#residents.get(actor)
    if (found !== undefined) {
      this.used(found, nowMs)
      return found
    }
    const resident = new Resident(actor, definition, this)
    this.#residents.set(actor, resident)
    this.#parts.supervisor.start(resident)
    this.#parts.residency.add(resident, nowMs)
    this.#load(resident)
    return resident
  }

  used(resident: Resident, nowMs: number): void {
    this.#parts.residency.touch(resident, nowMs)
  }

  enqueue(resident: Resident, work: Work): void {
    resident.queue.push(work)
    this.wake(resident)
  }

  wake(resident: Resident): void {
    this.#parts.supervisor.wake(resident)
  }

  turn(resident: Resident): void {
    this.#parts.run(resident)
    this.leaveIfUnknown(resident)
  }

  /** What the actor decided before is in order: it is committed, and then the actor is loaded anew. */
  crashed(resident: Resident, error: unknown): void {
    resident.phase = 'crashed'
    const failure = failureOf(resident.actor, error)
    resident.current?.fail(failure)
    resident.current = null
    resident.queue.failAll(unavailable('the actor is started anew', error))
    this.recoverOrLeave(resident)
    const { report, journal } = this.#parts.context
    if (failure instanceof ActorFailed) {
      report({ during: 'decision', actor: resident.actor, shard: journal.shard, error })
    }
  }

  passivate(resident: Resident): void {
    this.#remove(resident)
  }

  leaveIfUnknown(resident: Resident): void {
    if (resident.idle && !resident.exists) this.#remove(resident)
  }

  /** After a crash, and after each commit that follows it; what has arrived meanwhile brings the actor back. */
  recoverOrLeave(resident: Resident): void {
    if (resident.phase !== 'crashed' || (resident.cell !== null && resident.cell.uncommitted > 0)) return
    resident.cell = null
    if (!resident.queue.isEmpty || resident.pins > 0) this.#load(resident)
    else this.#remove(resident)
  }

  /** The shard is gone: nothing here may be used again. */
  dropAll(error: Error): void {
    for (const resident of this.#residents.values()) {
      resident.phase = 'gone'
      this.#parts.supervisor.stop(resident)
      this.#parts.residency.remove(resident)
      resident.current?.fail(error)
      resident.queue.failAll(error)
      for (const work of resident.erasing ?? []) work.fail(error)
    }
    this.#residents.clear()
    this.#parts.supervisor.close()
  }

  #load(resident: Resident): void {
    const { journal, vault, ended } = this.#parts.context
    resident.phase = 'loading'
    recover(journal, vault, resident.definition, resident.actor).then(
      (cell) => {
        if (ended.aborted || resident.phase !== 'loading') return
        resident.cell = cell
        this.#activate(resident)
      },
      (error: unknown) => {
        if (resident.phase === 'loading') this.#loadFailed(resident, error)
      },
    )
  }

  #activate(resident: Resident): void {
    resident.phase = 'active'
    this.#parts.activated(resident)
    if (!resident.queue.isEmpty) this.wake(resident)
    else this.leaveIfUnknown(resident)
  }

  #loadFailed(resident: Resident, error: unknown): void {
    const { report, journal } = this.#parts.context
    const failure = failureOf(resident.actor, error)
    resident.queue.failAll(failure)
    if (failure instanceof ActorFailed) {
      report({ during: 'recovery', actor: resident.actor, shard: journal.shard, error })
    }
    this.#remove(resident)
  }

  #remove(resident: Resident): void {
    resident.phase = 'gone'
    this.#parts.supervisor.stop(resident)
    this.#residents.delete(resident.actor)
    this.#parts.residency.remove(resident)
  }
}
