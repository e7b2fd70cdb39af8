import type { EffectLimits } from './effects/kind-scheduler.ts'
import type { EvictionLimits } from './residents/eviction.ts'
import type { ShardLimits } from './shard-host.ts'

export type HostLimits = ShardLimits &
  EvictionLimits &
  EffectLimits & {
    readonly drainMs: number
    /** How long an answer is waited for where the caller does not say it. */
    readonly askTimeoutMs: number
  }

export const defaultHostLimits: HostLimits = {
  actorQueueMax: 256,
  shardQueueMax: 8_192,
  tenantSharePercent: 50,
  batchEntriesMax: 512,
  batchBytesMax: 524_288,
  timerWindowMs: 600_000,
  timersFiringMax: 64,
  timersLoadedMax: 1_000_000,
  residentMax: 20_000,
  idleMs: 300_000,
  effectsAtOnceMax: 64,
  effectsPerRecipientMax: 8,
  effectsSlowMax: 256,
  effectsQueuedMax: 10_000,
  drainMs: 10_000,
  askTimeoutMs: 5_000,
}
