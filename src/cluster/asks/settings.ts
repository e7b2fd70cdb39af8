import { AskFailed } from '../../ports/actors.ts'
import type { Backoff } from '../../timing/backoff.ts'

export type AskSettings = {
  /** How long an answer is waited for where the caller does not say it; the same as the host's. */
  readonly askTimeoutMs: number
  /** Asks that wait for one shard while nobody serves it: their number, and the bytes of their text. */
  readonly waitingPerShardMax: number
  readonly waitingBytesPerShardMax: number
  /** The bytes of all asks that wait on this node. */
  readonly waitingBytesMax: number
  /**
   * Asks that one other node has not answered yet. All of them leave a look at every shard its place among those that
   * one service may take on a link.
   */
  readonly inFlightPerNodeMax: number
  /** Between two looks whether a shard is served again. */
  readonly pauses: Backoff
  /** How long such a look waits for its answer: a node that hangs must not hide the one that serves. */
  readonly lookTimeoutMs: number
}

export const askDefaults: AskSettings = {
  askTimeoutMs: 5_000,
  waitingPerShardMax: 1_024,
  waitingBytesPerShardMax: 4_194_304,
  waitingBytesMax: 67_108_864,
  inFlightPerNodeMax: 2_816,
  pauses: { firstMs: 10, maxMs: 250 },
  lookTimeoutMs: 1_000,
}

const RETRY_LATER_MS = 1_000

export const unavailable = (reason: string, cause?: unknown): AskFailed =>
  new AskFailed('unavailable', reason, RETRY_LATER_MS, cause === undefined ? undefined : { cause })

export const overloaded = (reason: string): AskFailed => new AskFailed('overloaded', reason, RETRY_LATER_MS)
