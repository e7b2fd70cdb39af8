import { fnv1a } from '../../domain/fnv1a.ts'

/** Followers of the log have passed a record by then, and the repetitions of its last commands are over. */
const FORGET_AFTER_MS = 20_000
/** What ended at the same time is not forgotten at the same time. */
const SPREAD_MS = 20_000

type Forgettable = {
  readonly actor: string
  readonly mayBeForgotten: boolean
  readonly goneAtMs: number | null
}

/** When the events of a record may go, or all of it; null while it is neither over nor will be gone by itself. */
export const forgetAtMs = (
  { actor, mayBeForgotten, goneAtMs }: Forgettable,
  nowMs: number,
): number | null => {
  const spreadMs = fnv1a(actor) % SPREAD_MS
  if (goneAtMs !== null) return Math.max(goneAtMs, nowMs + FORGET_AFTER_MS) + spreadMs
  return mayBeForgotten ? nowMs + FORGET_AFTER_MS + spreadMs : null
}
