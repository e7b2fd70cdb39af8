/** Pauses between repetitions: the first one, then twice as long each time, up to the longest. */
export type Backoff = { readonly firstMs: number; readonly maxMs: number }

/**
 * The pause after so many failures in a row. `chance` is drawn from 0 to 1 and makes it between half and all of that,
 * so that callers that failed together do not come back together; 1 leaves it whole.
 */
export const backoffMs = ({ firstMs, maxMs }: Backoff, failures: number, chance: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.min(failures - 1, 30)) * (0.5 + chance / 2)
