/** What the owner of actors does about copies of them that other nodes read. A process that is alone has none. */
export interface CopiesElsewhere {
  /** The shard is served here from now on, by the `open` record of this epoch. Called before anything of it is answered. */
  opened(shard: number, epoch: number): void
  /** What was opened with this epoch is not served here any more; `lastEpoch` is the one that its release took. */
  closed(shard: number, epoch: number, lastEpoch: number): void
  /** The actor has committed something: copies of it are called back. */
  changed(actor: string): void
  /** Null where an answer about the actor may leave; else resolves, always, when no node shows what was before it. */
  settled(actor: string): Promise<void> | null
}
