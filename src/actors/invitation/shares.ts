/**
 * Whether one of many who share something may have one more of it: at most a third of what is left. Alone it gets a
 * quarter of the whole, five get an eighth each, and there is room for a newcomer however long the others have been there.
 */
export const hasShare = (max: number, taken: number, own: number): boolean => 3 * own < max - taken

/** The whole of which one alone gets so much. */
export const wholeOf = (share: number): number => 4 * share
