export const rateDefaults = {
  /** For how long places that are lent may be used, counted from before they were asked for. */
  loanMs: 1_000,
  /** How much longer the owner waits for word of them; a busy node is late. */
  marginMs: 2_000,
  placesMax: 16,
  /** Of what is left, at most this part is lent at once. */
  shareOfRest: 8,
  loansMax: 10_000,
  /** Of one question to the owner; the request waits for it. */
  requestTimeoutMs: 800,
  giveBackTimeoutMs: 300,
  /** How long a request waits for an owner that does not answer, or a shard that moves: as long as for a copy of its key. */
  waitMs: 3_000,
  /** The first pause between two questions, which doubles up to the longest. */
  retryMs: 25,
  retryMsMax: 100,
  /** After a failure no other request asks that owner for so long. */
  awayMs: 100,
  /** Decisions for other nodes that are remembered in case their answers are lost: some hundred bytes each. */
  decisionsMax: 20_000,
  handedOverKeysMax: 2_000,
}

export type RateSettings = Readonly<typeof rateDefaults>
