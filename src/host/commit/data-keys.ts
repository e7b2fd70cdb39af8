import { AtomicCommand } from '../commands/atomic-command.ts'
import type { PendingCommand } from '../commands/pending-command.ts'
import { owedOf } from '../definition.ts'
import { unavailable } from '../faults.ts'
import type { Resident } from '../residents/resident.ts'
import type { ShardContext } from '../shard-context.ts'
import { settledElsewhere } from './settled-elsewhere.ts'
import { OWED_TIMER, type ShardTimers } from '../timers/shard-timers.ts'
import type { Vault } from '../../ports/vault.ts'

/** More of them keep their places until they are answered: then it is the admission that bounds them. */
const WAITING_ELSEWHERE_MAX = 4_096

/**
 * The key of each record with personal fields: durable before the first event that needs it, gone before an erasure is
 * answered. Every answer therefore passes here last.
 */
export class DataKeys {
  readonly #context: ShardContext
  readonly #timers: ShardTimers
  /** Answers that wait for other nodes, beside the places of the admitted. */
  #waitingElsewhere = 0

  constructor(context: ShardContext, timers: ShardTimers) {
    this.#context = context
    this.#timers = timers
  }

  /** Its commit is known; it leaves if no other process can have taken the shard meanwhile. */
  answer(command: PendingCommand, resident: Resident): void {
    if (command.isSettled) return
    if (!this.#context.journal.confirmed) {
      command.fail(unavailable('the lease is not confirmed'))
      return
    }
    const erased = command instanceof AtomicCommand ? command.residents.find(this.owesErasure) : resident
    if (erased !== undefined && this.owesErasure(erased)) this.erase(erased, command)
    else this.#leave(command, resident)
  }

  /** Where other nodes have copies of what was before, it leaves when they have let go of them. */
  #leave(command: PendingCommand, resident: Resident): void {
    const { copies } = this.#context
    const settled = copies === null ? null : settledElsewhere(copies, command, resident)
    if (settled === null) command.succeed(command.reply)
    else void this.#leaveAfter(settled, command)
  }

  /** It is committed, so the shard may be handed on meanwhile: what it waits for does not depend on who serves it. */
  async #leaveAfter(settled: Promise<unknown>, command: PendingCommand): Promise<void> {
    if (this.#waitingElsewhere < WAITING_ELSEWHERE_MAX) command.giveBack()
    this.#waitingElsewhere++
    await settled
    this.#waitingElsewhere--
    command.succeed(command.reply)
  }

  /** Rejects when there can be no key; the resident stays in memory while it takes. */
  async create(resident: Resident, command: unknown): Promise<void> {
    const { keyParent } = resident.definition
    if (keyParent === null || resident.state === null) return
    resident.pin()
    try {
      resident.state.seal = await this.#vault().create(resident.actor, keyParent(resident.actor, command))
    } finally {
      resident.unpin()
    }
  }

  /** True while personal data of an erased actor may still be readable: nothing is answered until the key is gone. */
  readonly owesErasure = ({ state, definition }: Resident): boolean => {
    if (definition.keyParent === null || state === null || state.keyErased || state.isLost) return false
    return definition.erased(state.committedState)
  }

  /** `command`, if there is one, is answered when the key is gone, or fails as retryable. */
  erase(resident: Resident, command: PendingCommand | null, failures = 0): void {
    if (resident.erasing !== null) {
      if (command !== null) resident.erasing.push(command)
      return
    }
    resident.erasing = command === null ? [] : [command]
    resident.pin()
    void this.#erase(resident, failures).finally(() => resident.unpin())
  }

  async #erase(resident: Resident, failures: number): Promise<void> {
    try {
      await this.#vault().erase(resident.actor)
      const dead = await this.#vault().open(resident.actor)
      if (resident.state !== null) this.#erased(resident, dead)
      for (const command of this.#waiting(resident)) this.answer(command, resident)
    } catch (error) {
      for (const command of this.#waiting(resident))
        command.fail(unavailable('the erasure is under way', error))
      if (this.#context.ended.aborted) return
      this.#context.report('key', resident.actor, error)
      const dueMs = this.#context.retryAtMs(failures + 1)
      this.#timers.wakeAt({ actor: resident.actor, timerId: OWED_TIMER, dueMs }, dueMs, failures + 1)
    }
  }

  #erased({ state, definition }: Resident, dead: Awaited<ReturnType<Vault['open']>>): void {
    if (state === null) return
    state.keyErased = true
    state.seal = dead
    if (state.owedRow === null || owedOf(definition, state.state).length > 0) return
    if (state.bodies.owesDeletion(state.state)) return
    this.#timers.rowDone(state.owedRow)
    state.owedRow = null
  }

  #waiting(resident: Resident): readonly PendingCommand[] {
    const waiting = resident.erasing ?? []
    resident.erasing = null
    return waiting
  }

  #vault(): Vault {
    if (this.#context.vault === null) throw new Error('actors with personal fields need a vault')
    return this.#context.vault
  }
}
