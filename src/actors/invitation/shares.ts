/** The wider a network is, the more people may be behind it. */
const WEIGHTS = [3, 2.5, 1.5] as const

/** How much one that a network of this width has weighs. The narrowest is 0. */
export const weightOf = (width: number): number => WEIGHTS[width] ?? 1

/**
 * Whether one of many who share something may have one more of it: at most a third of what is left. Alone it gets a
 * quarter of the whole, five get an eighth each, and there is room for a newcomer however long the others have been
 * there. The widest network alone may have two fifths, so that in it others find room beside one that is less wide.
 */
export const hasShare = (max: number, taken: number, own: number, width = 0): boolean =>
  weightOf(width) * own < max - taken

/** The whole of which one alone gets so much. */
export const wholeOf = (share: number): number => 4 * share
