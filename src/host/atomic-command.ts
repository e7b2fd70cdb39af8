import type { Commits } from './commits.ts'
import type { AnyActorDefinition } from './definition.ts'
import { isRefused, type Refused } from '../domain/refused.ts'
import type { JournalEntry } from '../ports/journal.ts'
import type { ActorState } from './actor-state.ts'
import type { Resident } from './resident.ts'
import type { Runtime } from '../ports/runtime.ts'
import { Work } from './pending-command.ts'

export type Party = {
  readonly actor: string
  readonly definition: AnyActorDefinition
  readonly command: unknown
}

/** Commands to several actors of one shard: all of them are committed in one batch, or none has happened. */
export class Whole extends Work {
  readonly parties: readonly Party[]
  /** Its parties stay in memory until it is answered, also those that have no events yet. */
  readonly #pinned = new Set<Resident>()

  constructor(
    parties: readonly Party[],
    order: { readonly commandId: string; readonly tenant: string | null },
  ) {
    super(null, order.commandId, order.tenant, null)
    this.parties = parties
  }

  pin(resident: Resident): void {
    if (this.#pinned.has(resident)) return
    this.#pinned.add(resident)
    resident.pins++
  }

  unpin(): readonly Resident[] {
    const residents = [...this.#pinned]
    this.#pinned.clear()
    for (const resident of residents) resident.pins--
    return residents
  }
}

type Seat = { readonly resident: Resident; readonly cell: ActorState; readonly command: unknown }
type Drafted = { readonly owner: Resident; readonly entry: JournalEntry }

/** Where a whole goes on: done for now, or with this party, which has to be loaded or to get its key first. */
export type WholeOutcome =
  | { readonly is: 'done' }
  | { readonly is: 'wait' | 'needs-key'; readonly resident: Resident; readonly command: unknown }

const DONE: WholeOutcome = { is: 'done' }

export const runWhole = (
  whole: Whole,
  find: (actor: string, definition: AnyActorDefinition) => Resident,
  commits: Commits,
  runtime: Runtime,
): WholeOutcome => {
  const residents = whole.parties.map(({ actor, definition }) => find(actor, definition))
  for (const resident of residents) whole.pin(resident)
  const seats: Seat[] = []
  for (const [index, { command }] of whole.parties.entries()) {
    const resident = residents[index]
    if (resident === undefined) continue
    if (resident.phase !== 'active' || resident.cell === null) return { is: 'wait', resident, command }
    seats.push({ resident, cell: resident.cell, command })
  }
  const { commandId } = whole
  if (commandId !== null && seats.some(({ cell }) => cell.knows(commandId))) {
    whole.reply = seats.map(({ cell, command }) => replyOf(cell.repeat(command)))
    commits.answerAfter(residents, whole)
    return DONE
  }
  const draft = decideAll(whole, seats, runtime.now())
  if (draft.is === 'needs-key') return draft
  whole.reply = draft.refusal ?? draft.replies
  if (draft.entries.length === 0) commits.answerAfter(residents, whole)
  else commits.addWhole(draft.entries, whole)
  return DONE
}

type Draft =
  | {
      readonly is: 'decided'
      /** The first refusal: then there are no entries. */
      readonly refusal: Refused | null
      readonly replies: readonly unknown[]
      readonly entries: readonly Drafted[]
    }
  | { readonly is: 'needs-key'; readonly resident: Resident; readonly command: unknown }

/** Nothing of it stays when one refuses, throws or lacks its key. */
const decideAll = (whole: Whole, seats: readonly Seat[], nowMs: number): Draft => {
  const before = new Map(seats.map(({ cell }) => [cell, cell.uncommitted]))
  const takeBack = (): void => before.forEach((uncommitted, cell) => cell.discard(uncommitted))
  const replies: unknown[] = []
  const entries: Drafted[] = []
  try {
    for (const { resident, cell, command } of seats) {
      const handled = cell.decide(command, whole.commandId, nowMs)
      if (handled.is === 'needs-key') {
        takeBack()
        return { is: 'needs-key', resident, command }
      }
      replies.push(handled.reply)
      if (isRefused(handled.reply)) {
        takeBack()
        return { is: 'decided', refusal: handled.reply, replies, entries: [] }
      }
      if (handled.entry !== null) entries.push({ owner: resident, entry: handled.entry })
    }
  } catch (error) {
    takeBack()
    throw error
  }
  return { is: 'decided', refusal: null, replies, entries }
}

const replyOf = (handled: ReturnType<ActorState['repeat']>): unknown =>
  handled.is === 'decided' ? handled.reply : undefined
