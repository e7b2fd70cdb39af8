import type { AnyActorDefinition, Registry } from '../definition.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { type Addressed, type AtomicOptions, NoSuchActor } from '../../ports/actors.ts'
import type { JournalEntry } from '../../ports/journal.ts'
import type { Resident } from '../residents/resident.ts'
import type { ActorState } from '../state/actor-state.ts'
import { PendingCommand } from './pending-command.ts'

/** One actor of an atomic command, and what it is asked. */
type AtomicPart = {
  readonly actor: string
  readonly definition: AnyActorDefinition
  readonly command: unknown
}

/** The parts of what is asked of several actors, which have to be of one shard. */
export const partsOf = (addressed: readonly Addressed[], find: Registry['find']): readonly AtomicPart[] => {
  let shard = -1
  return addressed.map(({ to: actor, command }) => {
    const found = find(actor)
    if (found === null) throw new NoSuchActor()
    if (shard >= 0 && shard !== found.shard)
      throw new RangeError('only actors of one shard can be asked together')
    shard = found.shard
    return { actor, definition: found.definition, command }
  })
}

type FindResident = (actor: string, definition: AnyActorDefinition, begins: boolean) => Resident

type ReadyPart = { readonly resident: Resident; readonly state: ActorState; readonly command: unknown }

export type AtomicOutcome =
  | {
      readonly is: 'decided'
      readonly reply: Refused | readonly unknown[]
      readonly entries: readonly { readonly resident: Resident; readonly entry: JournalEntry }[]
    }
  /** This part has to be loaded, or to get its key, first. */
  | { readonly is: 'not-ready' | 'needs-key'; readonly resident: Resident; readonly command: unknown }

/** Commands to several actors of one shard: all of them are committed in one batch, or none has happened. */
export class AtomicCommand extends PendingCommand {
  readonly #parts: readonly AtomicPart[]
  /** They stay in memory until it is answered, also those that have no events yet. */
  readonly #residents = new Set<Resident>()
  /** The record of which nothing can be in the journal; null once that record is in memory. */
  #begins: string | null

  constructor(parts: readonly AtomicPart[], order: AtomicOptions, mayBegin: boolean) {
    super(null, order.commandId, order.tenant, null)
    this.mayLinger = order.mayLinger === true
    this.#begins = mayBegin ? (order.begins ?? null) : null
    this.#parts = parts
  }

  get residents(): readonly Resident[] {
    return [...this.#residents]
  }

  /** Nothing of it stays when a part refuses, throws or lacks its key. */
  decide(find: FindResident, nowMs: number): AtomicOutcome {
    const parts: ReadyPart[] = []
    for (const { resident, command } of this.#gather(find)) {
      const { phase, state } = resident
      if (phase !== 'active' || state === null) return { is: 'not-ready', resident, command }
      parts.push({ resident, state, command })
    }
    const { commandId } = this
    if (commandId !== null && parts.some(({ state }) => state.knows(commandId)))
      return {
        is: 'decided',
        reply: parts.map(({ state, command }) => state.replyTo(command)),
        entries: [],
      }
    const before = parts.map(({ state }) => state.uncommitted)
    let outcome: AtomicOutcome | null = null
    try {
      outcome = this.#decideAll(parts, nowMs)
      return outcome
    } finally {
      const stays = outcome?.is === 'decided' && !isRefused(outcome.reply)
      if (!stays) for (const [index, { state }] of parts.entries()) state.discard(before[index])
    }
  }

  /** It is answered: the parts may leave memory. */
  releaseMembers(): void {
    const residents = this.residents
    this.#residents.clear()
    for (const resident of residents) resident.unpin()
  }

  #gather(find: FindResident) {
    const begins = this.#begins
    this.#begins = null
    return this.#parts.map(({ actor, definition, command }) => {
      const resident = find(actor, definition, actor === begins)
      if (!this.#residents.has(resident)) resident.pin()
      this.#residents.add(resident)
      return { resident, command }
    })
  }

  #decideAll(parts: readonly ReadyPart[], nowMs: number): AtomicOutcome {
    const replies: unknown[] = []
    const entries: { resident: Resident; entry: JournalEntry }[] = []
    for (const { resident, state, command } of parts) {
      const handled = state.decide(command, this.commandId, nowMs)
      if (handled.is === 'needs-key') return { is: 'needs-key', resident, command }
      if (isRefused(handled.reply)) return { is: 'decided', reply: handled.reply, entries: [] }
      replies.push(handled.reply)
      if (handled.entry !== null) entries.push({ resident, entry: handled.entry })
    }
    return { is: 'decided', reply: replies, entries }
  }
}
