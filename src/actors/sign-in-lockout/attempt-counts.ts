import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Eventually } from '../../domain/eventually.ts'
import { lockOf, lockoutDecider, type Locked, type LockoutCommand, type LockoutState } from './rules.ts'

/** How many of the oldest counts are searched for one that is not locked; after these the oldest goes all the same. */
const LOOKED_AT_MAX = 1_000

/**
 * Counts that are kept in memory, by the rules of those that are durable. What strangers choose is counted here: network
 * addresses, and e-mail addresses, whether they have accounts or not. When there are too many the oldest goes that is not locked.
 */
export class AttemptCounts {
  readonly #max: number
  /** In the order of their last attempts. */
  readonly #states = new Map<string, LockoutState>()

  constructor(max: number) {
    this.#max = max
  }

  get size(): number {
    return this.#states.size
  }

  of(key: string): LockoutState {
    return this.#states.get(key) ?? lockoutDecider.initialState
  }

  /** Null when the next attempt may come. */
  look(key: string, atMs: number): Locked | null {
    return lockOf(this.of(key), atMs)
  }

  tell(key: string, command: LockoutCommand): LockoutState | Refused {
    const decided = lockoutDecider.decide(this.of(key), command)
    if (isRefused(decided)) return decided
    const state = decided.reduce(lockoutDecider.evolve, this.of(key))
    this.#states.delete(key)
    if (state.count > 0) this.#states.set(key, state)
    if (this.#states.size > this.#max) this.#makeRoom(command.atMs)
    return state
  }

  #makeRoom(atMs: number): void {
    let lookedAt = 0
    for (const [key, { lockedUntilMs }] of this.#states) {
      if (lockedUntilMs > atMs && ++lookedAt < LOOKED_AT_MAX) continue
      this.#states.delete(key)
      return
    }
  }
}

/** Each count takes some 250 bytes. */
const COUNTS_MAX = 100_000

/** In the memory of this process, or of the node of the cluster that keeps the count. */
export type Counts = {
  look(key: string, atMs: number): Eventually<Locked | null>
  tell(key: string, command: LockoutCommand): Eventually<LockoutState | Refused>
}

/** Both apart, so that many addresses of one kind cannot push out those of the other. */
export type SignInCounts = { readonly places: Counts; readonly emailAddresses: Counts }

export const newSignInCounts = (
  max = COUNTS_MAX,
): { readonly places: AttemptCounts; readonly emailAddresses: AttemptCounts } => ({
  places: new AttemptCounts(max),
  emailAddresses: new AttemptCounts(max),
})
