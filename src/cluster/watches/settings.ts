export const watchDefaults = {
  /** How long the owner of a mailbox remembers that a node watches it, unless the node says so again. */
  leaseMs: 30_000,
  /** How often it says so. */
  renewMs: 10_000,
  /** Of one request to another node, or of the wait before it is sent again; one to tell waits for as long as a session may take to know whether it was heard. */
  requestTimeoutMs: 1_500,
  tellTimeoutMs: 5_500,
  /** After this whoever announces is told that nobody has taken it. */
  announceTimeoutMs: 6_000,
  /** What failed is tried again after this; twice that from then on. */
  retryMs: 100,
  retryMsMax: 2_000,
  /** Of one mailbox: how often at once its owner is told, and each node that watches it. */
  atOnceMax: 8,
  /** Mailboxes that are named in one request. */
  namesMax: 1_000,
  /** Watches of other nodes that an owner remembers, and of them those of one node. */
  watchesMax: 400_000,
  watchesOfOneMax: 200_000,
}

export type WatchSettings = Readonly<typeof watchDefaults>
