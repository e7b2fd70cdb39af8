const TOGETHER_MS = 1_000

/** The end of the second of this time: what many do at some time or other they do together then, in one transaction. */
export const together = (atMs: number): number => Math.ceil(atMs / TOGETHER_MS) * TOGETHER_MS
