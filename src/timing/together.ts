const TOGETHER_MS = 1_000
const TURNS = 8
const TURN_MS = TOGETHER_MS / TURNS

/** The end of the second of this time: what many do at some time or other they do together then, in one transaction. */
export const together = (atMs: number): number => Math.ceil(atMs / TOGETHER_MS) * TOGETHER_MS

/** The same for work that callers would notice if all of it came at once: the groups have turns within the second. */
export const togetherInTurn = (atMs: number, group: number): number =>
  together(atMs) + (group % TURNS) * TURN_MS
