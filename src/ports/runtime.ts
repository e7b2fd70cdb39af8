/**
 * Time, waiting and randomness as the protocol code sees them. The simulation injects its own, so nothing under
 * `actors/`, `cluster/` or the shard log calls Date, setTimeout or crypto for a decision.
 */
export type Runtime = {
  /** Wall clock, milliseconds since 1970. */
  now(): number
  /** Never goes back, and keeps running while the process is frozen; stands still while its machine is suspended. */
  monotonicMs(): number
  /** Resolves after the time, rejects with the signal's reason when it is aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** 128 random bits as 26 lower-case base 32 digits. */
  newId(): string
  /** Uniform in [0, 1); for jitter only. */
  random(): number
}
