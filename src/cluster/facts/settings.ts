export const factDefaults = {
  /** How long a copy may be used, counted from before it was asked for. */
  leaseMs: 4_000,
  /** How much longer the owner counts it: two clocks may run apart by so much in the time of a lease. */
  marginMs: 500,
  /** A copy that is used after this is asked for again in the background. */
  renewAfterMs: 2_000,
  /** After a failure the same question is asked again so much later; twice that from then on. */
  retryMs: 50,
  retryMsMax: 400,
  /** Of one question to another node. */
  requestTimeoutMs: 1_500,
  /** How long a reader waits where it does not say so itself. */
  readTimeoutMs: 3_000,
  /** Between two looks for copies whose leases are over. */
  sweepMs: 500,
  copiesMax: 20_000,
  copiesBytesMax: 67_108_864,
  /** Notes of who has copies. */
  lentMax: 100_000,
  lentToOneMax: 50_000,
  holdersMax: 16,
  /** Changes of a shard that are remembered while its holders are not known. */
  changedMax: 10_000,
}

export type FactSettings = Readonly<typeof factDefaults>
