const TOGETHER_MS = 1_000
/** Turns that go round by this part of a period lie far apart from each other, however many groups there are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2

/** The end of the second of this time: what many do at some time or other they do together then, in one transaction. */
export const together = (atMs: number): number => Math.ceil(atMs / TOGETHER_MS) * TOGETHER_MS

/**
 * The same for work that callers would notice if all of it came at once: each group has a turn of its own once in a
 * period, and this is its first from the given time on.
 */
export const nextTurn = (atMs: number, periodMs: number, group: number): number => {
  const offsetMs = Math.floor(((group * GOLDEN) % 1) * periodMs)
  return Math.ceil((atMs - offsetMs) / periodMs) * periodMs + offsetMs
}
