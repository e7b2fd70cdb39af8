/** The outcome of the work, or a rejection with the error of `late` when the work takes longer than `limitMs`. */
export const within = async <Value>(
  limitMs: number,
  work: Promise<Value>,
  late: () => Error,
): Promise<Value> => {
  const limit = Promise.withResolvers<never>()
  const timer = setTimeout(() => limit.reject(late()), limitMs)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}

type Clock = { sleep(ms: number, signal: AbortSignal): Promise<void> }

/** The same on a clock that is handed in; `late` gives the outcome, or throws it. */
export const withinBy = async <Value>(
  clock: Clock,
  limitMs: number,
  work: Promise<Value>,
  late: () => Value,
): Promise<Value> => {
  const over = new AbortController()
  const limit = clock.sleep(limitMs, over.signal).then(late)
  limit.catch(() => undefined)
  try {
    return await Promise.race([work, limit])
  } finally {
    over.abort(OVER)
  }
}

/** Created once: without a reason every end would create an error with its stack. */
const OVER = new Error('the work is over')
