import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { endingActs } from '../acting/act-for.ts'
import { attemptInSession, type SessionAttempt } from '../sign-in-lockout/commands.ts'
import { askAccount, type AccountPorts } from './ask-account.ts'
import { isTurnedAway } from './passwords.ts'
import type { AccountRecord, SignedInAs } from './state.ts'

const tooOften = refuse('unauthorized', 'Too many failures; the session is over, sign in again.')

/**
 * What a person proves again in a live session. It counts for that session alone, so no stranger at the same place or at
 * the same account stands in the way; and after so many failures the session ends, so a stolen one guesses no further.
 */
export const proveInSession = async <Proved extends object>(
  ports: AccountPorts,
  who: SignedInAs,
  judge: () => Promise<Proved | Refused>,
): Promise<Proved | Refused> => {
  const attempt = await attemptInSession(ports, who.sessionId)
  if (attempt !== null) {
    const proved = await judged(attempt, judge)
    if (!isRefused(proved)) {
      await attempt.forgive()
      return proved
    }
    if (!attempt.isLast) return proved
  }
  await endSession(ports, who)
  return tooOften
}

export const endSession = (
  ports: AccountPorts,
  { accountId, sessionId }: SignedInAs,
): Promise<AccountRecord | Refused> => {
  const command = { type: 'EndSession', atMs: ports.runtime.now(), sessionId } as const
  return endingActs(ports, accountId, () => askAccount(ports, accountId, command))
}

const judged = async <Proved>(
  attempt: SessionAttempt,
  judge: () => Promise<Proved | Refused>,
): Promise<Proved | Refused> => {
  try {
    return await judge()
  } catch (error) {
    // It was turned away before anything was looked at, so no one has guessed.
    if (isTurnedAway(error)) await attempt.forgive()
    throw error
  }
}
