import { shardOfActor } from '../../domain/references.ts'
import { nextTurn } from '../../timing/together.ts'
import type { AnyActorDefinition } from '../definition.ts'

export type Forgettable = {
  readonly actor: string
  readonly definition: Pick<AnyActorDefinition, 'forgetAfterMs'>
  readonly isOver: boolean
  readonly goneAtMs: number | null
}

/** When the events of a record may go, or all of it; null while it is neither over nor will be gone by itself. */
export const forgetAtMs = (record: Forgettable, nowMs: number): number | null => {
  const { isOver, goneAtMs } = record
  // What it said goes soon, also where the record itself has to stay for a while.
  if (isOver) return spread(record, nowMs)
  return goneAtMs === null ? null : wholeAtMs(record, goneAtMs, nowMs)
}

/** When all of a record goes that is gone from `goneAtMs` on. */
export const wholeAtMs = (record: Forgettable, goneAtMs: number, nowMs: number): number =>
  spread(record, Math.max(goneAtMs - record.definition.forgetAfterMs, nowMs))

/** The records of a shard go together: reading the publisher's position and waking the store cost more than most of them. */
const spread = ({ actor, definition: { forgetAfterMs } }: Forgettable, fromMs: number): number =>
  forgetAfterMs === 0 ? fromMs : nextTurn(fromMs + forgetAfterMs, forgetAfterMs, shardOfActor(actor))
