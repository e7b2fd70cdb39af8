const MINUTE_MS = 60_000
const KINDS_MAX = 512

/**
 * Whether something of this kind is to be logged now, and how often it has happened since it was logged last; null where
 * a line of the same kind is less than a minute old.
 */
export type OnceAMinute = (kind: string) => number | null

export const onceAMinute = (nowMs: () => number): OnceAMinute => {
  const kinds = new Map<string, { untilMs: number; count: number }>()
  return (wanted) => {
    const now = nowMs()
    const kind = kinds.has(wanted) || kinds.size < KINDS_MAX ? wanted : 'others'
    const seen = kinds.get(kind)
    if (seen !== undefined && now < seen.untilMs) {
      seen.count++
      return null
    }
    kinds.set(kind, { untilMs: now + MINUTE_MS, count: 0 })
    return (seen?.count ?? 0) + 1
  }
}
