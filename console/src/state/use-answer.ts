import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { OperationName } from '../api/address.ts'
import { call } from '../api/call.ts'
import type { Gives, Takes } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { AskingAgain } from './asking-again.ts'
import { changedBy } from './changed-by.ts'
import { liveEvents, sight } from './live.ts'

export type Loaded<Body> = {
  /** What was answered last; of the question before, until the new answer is there. */
  readonly body: Body | null
  /** Why the newest answer is missing; what is shown may be old then. */
  readonly problem: Problem | null
  readonly isLoading: boolean
  /** Asks at once. */
  readonly again: () => void
}

type State<Body> = { readonly key: string; readonly body: Body | null; readonly problem: Problem | null }

/**
 * The answer to a reading operation, asked anew whenever the question changes, and with `everyMs` while the page is looked
 * at: soon after an event that changes it, and by the clock where no event does. `isWanted: false` asks nothing.
 */
export const useAnswer = <Name extends OperationName>(
  name: Name,
  takes: Takes[Name],
  { everyMs = 0, isWanted = true }: { everyMs?: number; isWanted?: boolean } = {},
): Loaded<Gives[Name]> => {
  const key = JSON.stringify([name, takes])
  const [state, setState] = useState<State<Gives[Name]>>({ key: '', body: null, problem: null })
  const [round, setRound] = useState(0)
  const asked = useRef(takes)
  asked.current = takes
  useEffect(() => {
    if (!isWanted) return undefined
    const ended = new AbortController()
    const isChangedBy = changedBy(name, asked.current)
    const begin = (): void => void ask().catch(ignored)
    const asking =
      everyMs > 0 ? new AskingAgain({ ask: begin, everyMs, isChangedBy, events: liveEvents, sight }) : null
    const ask = async (): Promise<void> => {
      const answer = await call(name, asked.current, { signal: ended.signal })
      if (ended.signal.aborted) return
      setState((before) =>
        answer.ok
          ? { key, body: answer.body, problem: null }
          : { key, body: before.key === key ? before.body : null, problem: answer.problem },
      )
      asking?.answered(answer.ok ? null : answer.problem.retryAfterSeconds)
    }
    begin()
    return () => {
      ended.abort()
      asking?.stop()
    }
  }, [key, round, everyMs, isWanted])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { ...state, isLoading: isWanted && state.key !== key, again }
}

/** A request that its page has left behind. */
const ignored = (): void => undefined
