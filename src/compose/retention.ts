import { RetentionSweep } from '../actors/tenant/retention-sweep.ts'
import type { FinishedRecords } from '../ports/directory.ts'
import type { DurableActors } from './durable-actors.ts'
import type { ServiceContext } from './service-context.ts'

/** Long enough for the other parts to have begun, and for lists that are a little behind. */
export const FIRST_SWEEP_MS = 60_000

/** Erases what the retention periods of organisations no longer keep, for as long as the service runs. */
export const sweepByRetention = (
  { config, log, lifecycle }: ServiceContext,
  { actors, runtime, isOpen }: Pick<DurableActors, 'actors' | 'runtime' | 'isOpen'>,
  finished: FinishedRecords,
): void => {
  lifecycle.use(
    'retention',
    new RetentionSweep({
      actors,
      runtime,
      isOpen,
      finished,
      recordsPerSecond: config.policy.retentionRecordsPerSecondMax,
      firstAfterMs: FIRST_SWEEP_MS,
      swept: (shard, count) => log('retention.swept', { shard, count }),
      failed: (shard, error) => log('retention.failed', { shard, error }),
    }),
  )
}
