/**
 * Something is shared out among all who come for it, by the networks that they come from: the narrowest first, each
 * within the next. A network may have one more while it has less than a third of what is left; of several widths, while
 * each has less than is left to it, of which what the wider ones have is taken off once more and a half over. So one
 * alone gets a quarter, five get an eighth each, and there is room for a newcomer however long the others have been
 * there, also within its own wider network. `taken` is what all have together.
 */
export const hasShare = (max: number, taken: number, owns: readonly number[]): boolean => {
  const left = max - taken
  const [, middle, wide = middle] = owns
  const isWideFull = middle !== undefined && wide !== undefined && middle >= left - 1.5 * wide
  return !isWideFull && burdenOf(owns) < left
}

/** How much of what is left who has so many must leave to others: who has most gives way first. */
export const burdenOf = ([narrow = 0, middle, wide = middle]: readonly number[]): number =>
  middle === undefined || wide === undefined ? 3 * narrow : narrow + 1.1 * middle + 1.5 * wide

/** The whole of which one alone gets so much. */
export const wholeOf = (share: number): number => 4 * share
