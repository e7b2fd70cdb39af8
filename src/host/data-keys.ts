import { backoffMs } from './backoff.ts'
import { owedOf } from './definition.ts'
import { unavailable } from './faults.ts'
import type { TimerRow } from '../ports/journal.ts'
import type { Resident } from './resident.ts'
import type { ShardContext } from './shard-context.ts'
import { OWED_TIMER } from './timer-rows.ts'
import type { Vault } from '../ports/vault.ts'
import type { Work } from './pending-command.ts'

export type DataKeyListener = {
  wakeAt(row: TimerRow, atMs: number, attempts: number): void
  answer(resident: Resident, work: Work): void
  rowDone(row: TimerRow): void
}

/** The key of each record with personal fields: durable before the first event that needs it, gone before an erasure is answered. */
export class DataKeys {
  readonly #context: ShardContext
  readonly #listener: DataKeyListener

  constructor(context: ShardContext, listener: DataKeyListener) {
    this.#context = context
    this.#listener = listener
  }

  /** Rejects when there can be no key; the resident is pinned while it takes. */
  async create(resident: Resident, command: unknown): Promise<void> {
    const { keyParent } = resident.definition
    if (keyParent === null || resident.cell === null) return
    resident.pins++
    try {
      resident.cell.seal = await this.#vault().create(resident.actor, keyParent(resident.actor, command))
    } finally {
      resident.pins--
    }
  }

  /** True while personal data of an erased actor may still be readable: nothing is answered until the key is gone. */
  owesErasure(resident: Resident): boolean {
    const { cell, definition } = resident
    if (definition.keyParent === null || cell === null || cell.keyErased) return false
    return definition.erased(cell.committedState)
  }

  /** `work`, if there is one, is answered when the key is gone, or told to come again. */
  erase(resident: Resident, work: Work | null, attempts = 0): void {
    if (resident.erasing !== null) {
      if (work !== null) resident.erasing.push(work)
      return
    }
    resident.erasing = work === null ? [] : [work]
    resident.pins++
    void this.#erase(resident, attempts).finally(() => {
      resident.pins--
    })
  }

  async #erase(resident: Resident, attempts: number): Promise<void> {
    const { journal, report, runtime, ended } = this.#context
    try {
      await this.#vault().erase(resident.actor)
      const dead = await this.#vault().open(resident.actor)
      if (resident.cell !== null) this.#erased(resident, dead)
      for (const work of this.#waiters(resident)) this.#listener.answer(resident, work)
    } catch (error) {
      for (const work of this.#waiters(resident)) work.fail(unavailable('the erasure is under way', error))
      if (ended.aborted) return
      report({ during: 'key', actor: resident.actor, shard: journal.shard, error })
      const atMs = runtime.now() + backoffMs(attempts + 1, runtime)
      this.#listener.wakeAt({ actor: resident.actor, timerId: OWED_TIMER, dueMs: atMs }, atMs, attempts + 1)
    }
  }

  #erased(resident: Resident, dead: Awaited<ReturnType<Vault['open']>>): void {
    const { cell, definition } = resident
    if (cell === null) return
    cell.keyErased = true
    cell.seal = dead
    if (cell.owedRow === null || owedOf(definition, cell.state).length > 0) return
    this.#listener.rowDone(cell.owedRow)
    cell.owedRow = null
  }

  #waiters(resident: Resident): readonly Work[] {
    const waiters = resident.erasing ?? []
    resident.erasing = null
    return waiters
  }

  #vault(): Vault {
    if (this.#context.vault === null) throw new Error('actors with personal fields need a vault')
    return this.#context.vault
  }
}
