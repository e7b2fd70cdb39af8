export const shardLogDefaults = {
  /** Longer than the limits of the engines; it frees the shard from a call that never answers. */
  attemptTimeoutMs: 10_000,
  retryFirstMs: 50,
  retryMaxMs: 2_000,
  /** The most events after the last checkpoint, all of which a takeover may have to read and copy again. */
  copyLagEventsMax: 10_000,
  /**
   * How long a slot may wait for others to be copied with it: an actor's events then share a row, and a timer that is
   * set and cleared within that time is never written. A full batch (of slots or events) does not wait.
   */
  copyLingerMs: 2_000,
  copySlotsMax: 64,
  copyEventsMax: 2_000,
  checkpointEvents: 2_000,
  checkpointIntervalMs: 5_000,
  walkPageSlots: 256,
  tailPageSlots: 32,
  closeTimeoutMs: 10_000,
  /** How long a segment that its readers have not passed waits until it is looked at again. */
  retireAgainMs: 30_000,
  /** How long records that are over gather, so that many are forgotten at once. */
  forgetLingerMs: 500,
  /**
   * How far the acknowledgement of timers stays behind the clock; far more than the clocks of two owners may differ.
   */
  timerAckMarginMs: 24 * 3_600_000,
  timerAckIntervalMs: 600_000,
  /**
   * Readers whose saved position must have passed a segment before it is deleted; null when there is no such reader.
   */
  publishedReader: null as string | null,
  projectedReader: null as string | null,
  /** Whether records may go whole that the publisher has not passed: where nothing of them is to be published. */
  removesUnpublished: false,
}

export type ShardLogSettings = Readonly<typeof shardLogDefaults>
