import type { Eventually } from '../domain/eventually.ts'
import type { Rest } from '../domain/rest.ts'

/** Which organisations rest: what their records owe is not begun, and their timers do not fire. */
export interface Rests {
  /**
   * Null where it has never rested; asked for each effect and each timer of its records. Where it cannot be kept it may be
   * a promise each time: what that brings is used by whatever waited for it.
   */
  of(tenant: string): Eventually<Rest | null>
}

/** Where no organisation ever rests. */
export const noRests: Rests = { of: () => null }
