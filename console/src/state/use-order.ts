import { useRef, useState } from 'preact/hooks'
import type { OperationName } from '../api/address.ts'
import { call } from '../api/call.ts'
import type { Gives, Takes } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'

export type Order<Name extends OperationName> = {
  /** The answer, or null where it was refused; why stands in `problem`. */
  readonly give: (takes: Takes[Name]) => Promise<Gives[Name] | null>
  readonly problem: Problem | null
  readonly isUnderWay: boolean
}

/** One thing at a time that changes something. An attempt whose answer was lost is repeated under the same key. */
export const useOrder = <Name extends OperationName>(name: Name): Order<Name> => {
  const [problem, setProblem] = useState<Problem | null>(null)
  const [isUnderWay, setUnderWay] = useState(false)
  const attempt = useRef({ text: '', key: '' })
  const give = async (takes: Takes[Name]): Promise<Gives[Name] | null> => {
    if (isUnderWay) return null
    const text = JSON.stringify(takes)
    if (attempt.current.text !== text) attempt.current = { text, key: crypto.randomUUID() }
    setUnderWay(true)
    setProblem(null)
    try {
      const answer = await call(name, takes, { key: attempt.current.key })
      // Whatever was answered is known, so the next order is another one.
      if (answer.ok || answer.problem.status !== 0) attempt.current = { text: '', key: '' }
      if (answer.ok) return answer.body
      setProblem(answer.problem)
      return null
    } finally {
      setUnderWay(false)
    }
  }
  return { give, problem, isUnderWay }
}
