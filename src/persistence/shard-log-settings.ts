import { SEGMENT_SLOTS } from './store-port.ts'

export type ShardLogSettings = {
  /** Longer than the limits of the engines; it frees the shard from a call that never answers. */
  readonly attemptTimeoutMs: number
  readonly retryFirstMs: number
  readonly retryMaxMs: number
  /** The most events after the last checkpoint, all of which a takeover may have to read and copy again. */
  readonly copyLagEventsMax: number
  /**
   * How long a slot may wait for others to be copied with it: an actor's events then share a row, and a timer that is
   * set and cleared within that time is never written. A full batch (of slots or events) does not wait.
   */
  readonly copyLingerMs: number
  readonly copySlotsMax: number
  readonly copyEventsMax: number
  readonly checkpointEvents: number
  readonly checkpointIntervalMs: number
  readonly walkPageSlots: number
  readonly tailPageSlots: number
  readonly closeTimeoutMs: number
  readonly segmentSlots: number
  /**
   * How far the acknowledgement of timers stays behind the clock; far more than the clocks of two owners may differ.
   */
  readonly timerAckMarginMs: number
  readonly timerAckIntervalMs: number
  /**
   * Readers whose saved position must have passed a segment before it is deleted; null when there is no such reader.
   */
  readonly publishedReader: string | null
  readonly projectedReader: string | null
}

export const shardLogDefaults: ShardLogSettings = {
  attemptTimeoutMs: 10_000,
  retryFirstMs: 50,
  retryMaxMs: 2_000,
  copyLagEventsMax: 10_000,
  copyLingerMs: 2_000,
  copySlotsMax: 64,
  copyEventsMax: 2_000,
  checkpointEvents: 2_000,
  checkpointIntervalMs: 5_000,
  walkPageSlots: 256,
  tailPageSlots: 32,
  closeTimeoutMs: 10_000,
  segmentSlots: SEGMENT_SLOTS,
  timerAckMarginMs: 24 * 3_600_000,
  timerAckIntervalMs: 600_000,
  publishedReader: null,
  projectedReader: null,
}
