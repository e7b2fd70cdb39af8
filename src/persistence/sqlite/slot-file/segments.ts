/**
 * Part of what is stored, so never to be changed. Deleting a segment costs next to nothing here, so a small one: with 256
 * shards a large one would keep much for long where little happens.
 */
export const SEGMENT_SLOTS = 16
export const segmentOf = (no: number): number => Math.floor(no / SEGMENT_SLOTS)
