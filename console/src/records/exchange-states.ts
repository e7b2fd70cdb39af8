const OVER: readonly string[] = ['done', 'declined', 'abandoned']

/** Exchanges that are over change no more, except that they are erased. */
export const isOver = (state: string): boolean => OVER.includes(state)

const WATCHED_MS = 3_000
const RESTING_MS = 30_000

/** Somebody who looks at a running exchange waits for its next step. */
export const paceOf = (state: string | undefined): number =>
  state === undefined || !isOver(state) ? WATCHED_MS : RESTING_MS
