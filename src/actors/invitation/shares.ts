/** The wider a network is, the more people may be behind it. */
const PARTS_OF_WIDTH = [3, 2, 1] as const

/** How much one that a network of this width has weighs. The narrowest is 0. */
export const weightOf = (width: number): number => PARTS_OF_WIDTH[width] ?? 1

/**
 * Whether one of many who share something may have one more of it: at most a third of what is left. Alone it gets a
 * quarter of the whole, five get an eighth each, and there is room for a newcomer however long the others have been
 * there. A wider network may have a half of what is left, the widest as much as is left.
 */
export const hasShare = (max: number, taken: number, own: number, width = 0): boolean =>
  weightOf(width) * own < max - taken

/** The whole of which one alone gets so much. */
export const wholeOf = (share: number): number => 4 * share
