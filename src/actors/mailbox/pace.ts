/**
 * How much a phone may bring about, as time: each of its messages that is written down takes some of a room that comes back
 * as time passes. A real one opens a socket, registers a key or takes its messages now and then; on a network that breaks
 * off all the time it opens some dozens of sockets in a minute.
 */
const ROOM_MS = 600_000

/**
 * A ping or a change of live mode that begins pushing, or a key list: 60 a minute in the long run, 600 at once. Where there is
 * no room, there is room for one more after this time.
 */
export const WORD_MS = 1_000
/** An acknowledgement that takes something: ten times as many, because some phones say one for each message. */
export const TAKING_MS = 100

/** Undefined where nothing was ever taken. */
type Spent = number | undefined

/** More than the room was never taken: then the clock was set back, or the mailbox has moved to a node whose clock is. */
const takenAt = (spentUntilMs: Spent, atMs: number): number =>
  spentUntilMs === undefined || spentUntilMs > atMs + ROOM_MS ? atMs : Math.max(spentUntilMs, atMs)

export const hasPaceFor = (spentUntilMs: Spent, atMs: number, costMs: number): boolean =>
  takenAt(spentUntilMs, atMs) + costMs <= atMs + ROOM_MS

/** Also of what no room was asked for, because it is acknowledged for the phone; it takes no more than there is. */
export const spentAfter = (spentUntilMs: Spent, atMs: number, costMs: number): number =>
  Math.min(takenAt(spentUntilMs, atMs) + costMs, atMs + ROOM_MS)
