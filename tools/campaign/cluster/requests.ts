/** An answer that never came, or that the proxy gave instead of a node: from when to when it was waited for. */
export type Lost = {
  readonly what: string
  readonly status: number | 'no answer'
  readonly fromMs: number
  readonly toMs: number
}

/** A list that did not have yet what its caller had been answered before, from when to when. */
export type Behind = { readonly what: string; readonly fromMs: number; readonly toMs: number }

type Status = number | 'no answer'

/** Said by the proxy of a node that was asked and did not answer to the end. */
const BAD_GATEWAY = 502
/** What the API promises to answer rightly when it is asked again. */
const LATER = new Set<Status>([409, 429, 503])

export const noRequests = () => ({
  byStatus: {} as Record<string, number>,
  lost: [] as Lost[],
  slowestMs: 0,
  problems: [] as string[],
})

/** What became of all requests of one organisation. */
export type Requests = ReturnType<typeof noRequests>

/** Counts one attempt; a status that no caller has to expect is a problem. */
export const noteAttempt = (
  requests: Requests,
  { what, fromMs, status }: { readonly what: string; readonly fromMs: number; readonly status: Status },
): void => {
  const toMs = Date.now()
  requests.byStatus[status] = (requests.byStatus[status] ?? 0) + 1
  requests.slowestMs = Math.max(requests.slowestMs, toMs - fromMs)
  if (status === 'no answer' || status === BAD_GATEWAY) requests.lost.push({ what, status, fromMs, toMs })
  else if (status >= 300 && !LATER.has(status)) requests.problems.push(`${what} was answered ${status}`)
}

type Interval = { readonly fromMs: number; readonly toMs: number }

/** Until a dead node is known to be dead, and what it owned has been opened elsewhere. */
const LISTS_BACK_MS = 15_000

/** Lists may be behind while a node does not answer the others, and no longer. */
export const unexplainedBehind = (
  behind: readonly Behind[],
  disturbed: readonly Interval[],
): readonly Behind[] =>
  behind.filter(
    ({ fromMs, toMs }) =>
      !disturbed.some((each) => fromMs >= each.fromMs - AROUND_MS && toMs <= each.toMs + LISTS_BACK_MS),
  )

/** Between a signal and what it does to a connection, and between two clocks of one machine. */
const AROUND_MS = 1_500

/** Lost without a node that was killed or frozen at the time: nobody may do that. */
export const unexplained = (lost: readonly Lost[], losing: readonly Interval[]): readonly Lost[] =>
  lost.filter(
    ({ fromMs, toMs }) =>
      !losing.some((each) => fromMs <= each.toMs + AROUND_MS && toMs >= each.fromMs - AROUND_MS),
  )
