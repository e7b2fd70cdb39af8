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
  /** How long a request waits for a shard that moves; the first pause, which doubles. */
  movingMs: 1_500,
  retryMs: 25,
  handedOverKeysMax: 2_000,
}

export type RateSettings = Readonly<typeof rateDefaults>
