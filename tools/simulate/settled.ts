import { OWED_TIMER } from '../../src/host/timers/shard-timers.ts'
import { shardOf } from '../../src/domain/references.ts'
import type { Asker } from './asker.ts'
import type { Cluster } from './cluster.ts'
import type { ModelStore } from './model-store.ts'
import type { Outside } from './outside.ts'
import type { TrueActor, Truth } from './truth.ts'

type Parts = {
  readonly truth: Truth
  readonly model: ModelStore
  readonly outside: Outside
  readonly askers: readonly Asker[]
  readonly shardCount: number
  readonly cluster: Cluster
}

/** What should have happened by the end and has not: nothing that was owed is ever forgotten. */
export const whatIsMissing = (parts: Parts): readonly string[] => {
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
  for (const id of parts.model.cameBack()) missing.push(`forgotten events of ${id} are back`)
  for (let shard = 0; shard < parts.shardCount; shard++) missing.push(...missingCopies(parts, shard))
  return missing
}

/** A wake-up row is dated by the clock of whoever wrote it; another's may be far behind. */
const isWokenSoon = ({ model, cluster }: Parts, id: string): boolean =>
  model
    .pendingTimers(shardOf(id) ?? 0)
    .every(
      (row) => row.actor !== id || row.timerId !== OWED_TIMER || row.dueMs < cluster.earliestNowMs() + 60_000,
    )

/** A timer counts as missing when it is due on the clock that runs furthest behind. */
const missingTimers = ({ cluster }: Parts, id: string, { state }: TrueActor): readonly string[] =>
  state.timers
    .filter(({ dueMs }) => dueMs < cluster.earliestNowMs() - 3_000)
    .map((timer) => `${timer.id} of ${id} has not rung`)

const missingCopies = ({ truth, model, outside }: Parts, shard: number): readonly string[] => {
  const last = truth.lengthOf(shard) - 1
  const missing: string[] = []
  for (let no = 0; no <= last; no++) {
    if (!model.isCopied(shard, no)) missing.push(`slot ${no} of shard ${shard} is not copied`)
  }
  const unpublished = outside.unpublishedBefore(shard, last + 1)
  if (unpublished !== null) missing.push(`slot ${unpublished.no} of shard ${shard} is not published`)
  return missing
}
