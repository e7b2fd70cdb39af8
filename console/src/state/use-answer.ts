import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { OperationName } from '../api/address.ts'
import { call } from '../api/call.ts'
import type { Gives, Takes } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { whenToAskAgain } from './asking-again.ts'

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
 * The answer to a reading operation, asked anew whenever the question changes, and every `everyMs` while the page is
 * looked at. `isWanted: false` asks nothing.
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
    let cancelNext = (): void => undefined
    const ask = async (): Promise<void> => {
      const answer = await call(name, asked.current, { signal: ended.signal })
      if (ended.signal.aborted) return
      setState((before) =>
        answer.ok
          ? { key, body: answer.body, problem: null }
          : { key, body: before.key === key ? before.body : null, problem: answer.problem },
      )
      const retryAfterSeconds = answer.ok ? null : answer.problem.retryAfterSeconds
      if (everyMs > 0)
        cancelNext = whenToAskAgain(everyMs, retryAfterSeconds, () => void ask().catch(ignored))
    }
    void ask().catch(ignored)
    return () => {
      ended.abort()
      cancelNext()
    }
  }, [key, round, everyMs, isWanted])
  const again = useCallback(() => setRound((before) => before + 1), [])
  return { ...state, isLoading: isWanted && state.key !== key, again }
}

/** A request that its page has left behind. */
const ignored = (): void => undefined
