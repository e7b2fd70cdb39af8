import { NOTHING_HAPPENS, impossibleEvent, refuse, type Refused } from './decider.ts'
import type { Change, Eraser, ExchangeTimes } from './exchange.ts'

export type EraseCommand = {
  readonly type: 'EraseRecord'
  readonly atMs: number
  readonly tenant: string
  readonly by: Eraser
  /** Its connection is erased: what still runs ends first, without a word to the holder. */
  readonly withConnection?: true
}

/** Complete in itself, so that `record.erased` is made from it without a look at the record. */
export type RecordErased = {
  readonly type: 'RecordErased'
  readonly atMs: number
  readonly by: Eraser
  readonly tenant: string
  readonly externalId: string | null
  /** Counts the visible changes of the record; an erasure that organisations do not hear of is none. */
  readonly sequence: number
}

type Erasable = Pick<ExchangeTimes, 'erasedAtMs' | 'sequence'> & {
  readonly tenant: string
  readonly externalId: string | null
}

/**
 * What the command does to a record. `running`: the event that ends what still runs, null where it is over.
 * `unknown`: the answer to another organisation. To erase once more changes nothing.
 */
export const erasure = <Ending extends { readonly change: Change<string> }>(
  record: Erasable,
  command: EraseCommand,
  { running, unknown }: { readonly running: Ending | null; readonly unknown: Refused },
): readonly (Ending | RecordErased)[] | Refused => {
  if (record.tenant !== command.tenant) return unknown
  if (record.erasedAtMs !== null) return NOTHING_HAPPENS
  if (running === null) return [recordErased(record, record.sequence, command)]
  if (command.withConnection !== true)
    return refuse(
      'exchange_running',
      'This exchange is still running; erase it when it is done, declined or abandoned.',
    )
  return [running, recordErased(record, running.change.sequence, command)]
}

const recordErased = (
  { tenant, externalId }: Erasable,
  sequence: number,
  { atMs, by }: EraseCommand,
): RecordErased => ({
  type: 'RecordErased',
  atMs,
  by,
  tenant,
  externalId,
  sequence: by === 'retention' ? sequence : sequence + 1,
})

/** The record with the time of its erasure; its kind says which of its fields are null from here on. */
export const erasedBy = <Record extends ExchangeTimes & { readonly status: string }>(
  record: Record,
  event: RecordErased,
): Record => {
  if (record.erasedAtMs !== null) throw impossibleEvent(event, `${record.status}, erased`)
  const { atMs, by, sequence } = event
  return { ...record, erasedAtMs: atMs, erasedBy: by, updatedAtMs: atMs, sequence }
}

/** For the definition of a kind: whether the data key of the record has to go. */
export const isErased = (state: { readonly status: string; readonly erasedAtMs?: number | null }): boolean =>
  state.erasedAtMs !== undefined && state.erasedAtMs !== null
