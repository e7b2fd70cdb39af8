import type { Refused } from '../../domain/refused.ts'
import type { Code } from '../../domain/codes.ts'
import { type Problem, problem } from './problem.ts'

/** A refusal of the rules as an answer. One that the route does not document is a mistake of ours, not the caller's. */
export const refusal = <Known extends Code>(
  known: readonly Known[],
  { refused, reason }: Refused,
): Problem<Known> => {
  const code = known.find((each) => each === refused)
  if (code === undefined) throw new Error(`the route does not document ${refused}`)
  return problem(code, reason)
}
