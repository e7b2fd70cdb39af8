import { OWED_TIMER } from '../../src/host/timers/timer-rows.ts'
import { shardOf } from '../../src/domain/shards.ts'
import type { Asker } from './asker.ts'
import type { ModelStore } from './model-store.ts'
import type { Outside } from './outside.ts'
import type { TrueActor, Truth } from './truth.ts'

export type SettledParts = {
  readonly truth: Truth
  readonly model: ModelStore
  readonly outside: Outside
  readonly askers: readonly Asker[]
  readonly shardCount: number
  readonly earliestNowMs: () => number
}

/** What should have happened by the end and has not: nothing that was owed is ever forgotten. */
export const whatIsMissing = (parts: SettledParts): readonly string[] => {
  const missing: string[] = []
  if (parts.askers.some((asker) => !asker.finished)) missing.push('commands without an answer')
  for (const [id, actor] of parts.truth.actors) {
    if (isWokenSoon(parts, id)) {
      for (const effect of actor.state.owed) missing.push(`${effect} of ${id} is still owed`)
    }
    for (const effect of actor.settled) {
      if (!parts.outside.performedEffects.has(effect)) missing.push(`${effect} of ${id} was never performed`)
    }
    missing.push(...missingTimers(parts, id, actor))
  }
  for (let shard = 0; shard < parts.shardCount; shard++) missing.push(...missingCopies(parts, shard))
  return missing
}

/** A wake-up row is dated by the clock of whoever wrote it; another's may be far behind. */
const isWokenSoon = ({ model, earliestNowMs }: SettledParts, id: string): boolean =>
  model
    .pendingTimers(shardOf(id) ?? 0)
    .every((row) => row.actor !== id || row.timerId !== OWED_TIMER || row.dueMs < earliestNowMs() + 60_000)

/** A timer counts as missing when it is due on the clock that runs furthest behind. */
const missingTimers = (parts: SettledParts, id: string, { state }: TrueActor): readonly string[] => {
  const nowMs = parts.earliestNowMs()
  return state.timers
    .filter(({ dueMs }) => dueMs < nowMs - 3_000)
    .map((timer) => `${timer.id} of ${id} has not rung`)
}

const missingCopies = ({ truth, model, outside }: SettledParts, shard: number): readonly string[] => {
  const last = truth.lengthOf(shard) - 1
  const missing: string[] = []
  for (let no = 0; no <= last; no++) {
    if (!model.isCopied(shard, no)) missing.push(`slot ${no} of shard ${shard} is not copied`)
  }
  const unpublished = outside.unpublishedBefore(shard, last + 1)
  if (unpublished !== null) missing.push(`slot ${unpublished.no} of shard ${shard} is not published`)
  return missing
}
