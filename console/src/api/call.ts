import type { OperationName } from './address.ts'
import { Gate, type Wanted } from './gate.ts'
import type { Gives, Takes } from './generated/operations.ts'
import type { Answer, Problem } from './problem.ts'
import { send, type SendOptions } from './send.ts'

export const gate = new Gate()

/**
 * A request of somebody who is signed in. Where the session is over, or a fresh code is wanted, it waits until that was
 * shown and is made again; the page that made the request sees nothing of that.
 */
export const call = async <Name extends OperationName>(
  name: Name,
  takes: Takes[Name],
  options: SendOptions = {},
): Promise<Answer<Gives[Name]>> => {
  const keyed = { key: crypto.randomUUID(), ...options }
  const answer = await send(name, takes, keyed)
  const wanted = answer.ok ? null : wantedBy(answer.problem)
  if (wanted === null || !(await gate.pass(wanted))) return answer
  const again = await send(name, takes, keyed)
  // After a sign-in that something may still want: the step-up, once.
  const further = again.ok ? null : wantedBy(again.problem)
  if (wanted === 'step-up' || further !== 'step-up' || !(await gate.pass(further))) return again
  return send(name, takes, keyed)
}

const wantedBy = ({ status, error }: Problem): Wanted | null => {
  if (status === 401) return 'sign-in'
  return error === 'step_up_required' ? 'step-up' : null
}
