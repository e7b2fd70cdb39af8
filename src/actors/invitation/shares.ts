/**
 * Something is shared out among all who come for it, by the networks that they come from: the narrowest first, each
 * within the next. A network may have one more while it has at most a third of what is left; of several widths, while
 * each has less than is left to it, of which what the wider ones have is taken off once more and a half over. So one
 * alone gets a quarter, five get an eighth each, and there is room for a newcomer however long the others have been
 * there, also within its own wider network.
 *
 * Says which network has its share already; null where all may have one more. `taken` is what all have together.
 */
export const greedyOf = (
  max: number,
  taken: number,
  [narrow = 0, ...wider]: readonly number[],
): number | null => {
  const left = max - taken
  const [middle, wide = middle] = wider
  if (middle === undefined || wide === undefined) return 3 * narrow < left ? null : 0
  if (wide >= left) return wider.length
  const inWide = left - 1.5 * wide
  if (middle >= inWide) return 1
  return narrow < inWide - 1.1 * middle ? null : 0
}

/** The whole of which one alone gets so much. */
export const wholeOf = (share: number): number => 4 * share

/** How much one that a network of this width has weighs where some have to give way: 0 is the narrowest. */
export const weightOf = (width: number): number => 3 - width
