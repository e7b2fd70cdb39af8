/**
 * What the shard log must know about leases: who we are, whether we may still answer, and whose shards are free to
 * take. `cluster/lease.ts` implements it for many processes, `soleOwner` for one.
 */
export type LeaseSession = {
  /** Node and incarnation; new at every start and every rejoin. Every slot this session writes begins with it. */
  readonly owner: string
  /**
   * Measured on our own clocks from the start of the last renewal that is known to have succeeded; a time in which the
   * machine was suspended counts.
   */
  valid(): boolean
  /** Aborted when the session is known to be over: declared dead, replaced, or left. */
  readonly ended: AbortSignal
}

export interface Ownership {
  /** Null while this process has not joined. */
  session(): LeaseSession | null
  /**
   * True when no process can be answering for that owner any more: it was declared dead, left, or was replaced. Final
   * once true.
   */
  isGone(owner: string): Promise<boolean>
}

/** The ownership of an engine that a single process has to itself: every earlier owner is gone. */
export const soleOwner = (owner: string): Ownership => {
  const session: LeaseSession = { owner, valid: () => true, ended: new AbortController().signal }
  return { session: () => session, isGone: (other) => Promise.resolve(other !== owner) }
}
