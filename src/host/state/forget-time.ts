import { fnv1a } from '../../domain/fnv1a.ts'
import type { AnyActorDefinition } from '../definition.ts'

export type Forgettable = {
  readonly actor: string
  readonly definition: Pick<AnyActorDefinition, 'forgetAfterMs'>
  readonly isOver: boolean
  readonly goneAtMs: number | null
}

/** When the events of a record may go, or all of it; null while it is neither over nor will be gone by itself. */
export const forgetAtMs = (record: Forgettable, nowMs: number): number | null => {
  const { actor, definition, isOver, goneAtMs } = record
  if (goneAtMs === null && !isOver) return null
  const { forgetAfterMs } = definition
  const atMs = Math.max(goneAtMs ?? 0, nowMs + forgetAfterMs)
  return forgetAfterMs === 0 ? atMs : atMs + (fnv1a(actor) % forgetAfterMs)
}
