import { fnv1a } from '../domain/fnv1a.ts'

const PLACES_PER_MS = 2_048
const DAY_MS = 86_400_000
export const HOUR_MS = 3_600_000

/**
 * The place of a record in its list as one number: by time, and within a millisecond by its id. It is the same in every
 * copy of the directory, so that pages from two nodes fit together, and an index needs no text for it.
 */
export const placeOf = (createdAtMs: number, id: string): number =>
  firstPlaceOf(createdAtMs) + (fnv1a(id) % PLACES_PER_MS)

/** Every record created at this time or later has this place or a later one. */
export const firstPlaceOf = (timeMs: number): number => timeMs * PLACES_PER_MS

export const hourOf = (timeMs: number): number => Math.floor(timeMs / HOUR_MS)
export const dayOf = (createdAtMs: number): number => Math.floor(createdAtMs / DAY_MS)
export const startOfDay = (day: number): number => day * DAY_MS
