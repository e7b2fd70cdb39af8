/** When a request is sent again, and when no more. */
export type RetryRules = {
  /** How often a request is sent at most; 1: never again. */
  readonly attemptsMax: number
  /** The pause before the second attempt at most; doubles from then on. */
  readonly pauseFirstMs: number
  readonly pauseMsMax: number
  /** A call that would have to wait longer than this, over all its pauses, gives up instead. */
  readonly pausesMsMax: number
}

export const RETRY_RULES: RetryRules = {
  attemptsMax: 6,
  pauseFirstMs: 250,
  pauseMsMax: 10_000,
  pausesMsMax: 90_000,
}

/** What an answer says about another attempt. No status: there was no answer. */
export type Outcome = {
  readonly status: number | null
  readonly error: string | null
  readonly retryAfter: string | null
}

export const mayComeAgain = ({ status, error }: Outcome): boolean =>
  status === null || status >= 500 || status === 429 || error === 'idempotency_in_progress'

/** What the service asks for, and never earlier; else a random part of a doubling pause, so that callers spread. */
export const pauseMs = (
  { retryAfter }: Outcome,
  attempt: number,
  rules: RetryRules,
  random: () => number = Math.random,
): number => {
  const spread = random() * Math.min(rules.pauseMsMax, rules.pauseFirstMs * 2 ** (attempt - 1))
  const asked = askedMs(retryAfter ?? '')
  return asked > 0 ? asked + spread : spread
}

/** Seconds from the service; what stands in front of it may say a date. */
const askedMs = (retryAfter: string): number =>
  /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - Date.now()

export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted === true) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
