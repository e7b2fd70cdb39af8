import type { Code } from '../../domain/codes.ts'
import { refuse, type Refused } from '../../domain/decider.ts'
import type { Callers } from '../../http/callers/caller.ts'
import { problem, refusal, retryAfter, type Problem } from '../../http/route/problem.ts'
import type { RequestHead } from '../../http/server/server.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { isLocked } from '../sign-in-lockout/rules.ts'
import type { Origin, SignInPorts } from './ask-account.ts'
import type { SignedInAs } from './state.ts'

/** What the routes of people need. */
export type PeoplePorts = SignInPorts & Pick<ApiPorts, 'clientAddress'>

const USER_AGENT_CHARACTERS_MAX = 200

export const originOf = (
  { clientAddress }: Pick<PeoplePorts, 'clientAddress'>,
  head: RequestHead,
): Origin => ({
  address: clientAddress(head),
  userAgent: head.headers.get('user-agent')?.slice(0, USER_AGENT_CHARACTERS_MAX) ?? null,
  cookies: head.headers.get('cookie') ?? '',
})

/** A refusal, with how long to wait where that is the reason. */
export const refusedOrLocked = <Known extends Code>(
  known: readonly Known[],
  answer: Refused,
): Problem<Known | 'rate_limited'> =>
  isLocked(answer)
    ? problem('rate_limited', answer.reason, retryAfter(answer.retryAfterMs))
    : refusal(known, answer)

/** A code that is wrong in a session that is good: not a reason to sign in again. */
export const wrongCode = (answer: Refused): Refused =>
  answer.refused === 'unauthorized' ? refuse('forbidden', answer.reason) : answer

type Person = Callers['member'] | Callers['operator']

export const accountOf = (caller: Person): string =>
  caller.kind === 'member' ? caller.memberId : caller.operatorId

export const signedInAs = (caller: Person): SignedInAs => ({
  accountId: accountOf(caller),
  sessionId: caller.session?.id ?? '',
})
