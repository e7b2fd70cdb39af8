export const linkDefaults = {
  /** Something is sent at least so often. */
  heartbeatMs: 1_000,
  /** A connection on which nothing arrived for this long is cut. */
  silentMs: 4_000,
  /** A dial that is not proved by then is given up. */
  dialLimitMs: 3_000,
  redialFirstMs: 50,
  redialMaxMs: 2_000,
  /** A connection that lasted shorter counts as a failed dial, so that two that take turns do so slowly. */
  settledMs: 5_000,
  /** Pause between two looks at who is listed, and with which secret connections were proved. */
  lookMs: 500,
  /** A proved node may be connected for this long before this node finds it in its own list. */
  unlistedMs: 15_000,
  /** A connection that was proved with a secret which is accepted no more is replaced within this time, or cut. */
  revokedMs: 30_000,
  /** A connection to another process than the one that has the name by its lease is cut after this time. */
  otherProcessMs: 5_000,
  /** Requests to one node that are not answered yet; as many of its requests are served at once. */
  waitingMax: 4_096,
  /** Their bodies, in bytes. */
  waitingBytesMax: 32 << 20,
  /** The part of both that one service may take, so that no other one stands still behind it. */
  serviceShare: 0.75,
  /** What may wait in this process on its way to one node; a reader that is further behind is cut off. */
  unsentBytesMax: 64 << 20,
  /** Of one request, and of one answer. */
  bodyBytesMax: 16 << 20,
  /** How long a connection that is replaced, or a node that stops, waits for its last answers. */
  drainMs: 10_000,
}

export type LinkSettings = Readonly<typeof linkDefaults>
