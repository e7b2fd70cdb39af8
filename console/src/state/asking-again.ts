/**
 * Asks again after the pause, and not while nobody looks at the page; whoever comes back to it sees what is new at once.
 * What the service tells of events while they happen may take the place of the pause some day: this is the one place
 * that knows when a page asks.
 */
export const whenToAskAgain = (
  everyMs: number,
  retryAfterSeconds: number | null,
  ask: () => void,
): (() => void) => {
  const timer = setTimeout(
    () => {
      if (!document.hidden) return ask()
      document.addEventListener('visibilitychange', seen)
    },
    Math.max(everyMs, (retryAfterSeconds ?? 0) * 1_000),
  )
  const seen = (): void => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', seen)
    ask()
  }
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', seen)
  }
}
