import { isRefused, type Refused } from '../../domain/decider.ts'
import { endingActs } from '../acting/act-for.ts'
import { askAccount, ownSession, type AccountPorts } from './ask-account.ts'
import { wrongCode } from './outcomes.ts'
import { proveInSession } from './prove-in-session.ts'
import { newAuthenticatorOf, noAuthenticator } from './rules.ts'
import { sessionIn, type Session, type SignedInAs } from './state.ts'
import { newTotpSeed, totpStep, totpUrl } from './totp.ts'

/** The seed is in this answer and nowhere else. */
export type OfferedAuthenticator = {
  readonly totpSeed: string
  readonly totpUrl: string
  readonly expiresAtMs: number
}

/** The authenticator that there is stays until the new one has shown its first code. */
export const offerAuthenticator = async (
  ports: AccountPorts,
  { accountId, sessionId }: SignedInAs,
): Promise<OfferedAuthenticator | Refused> => {
  const totpSeed = newTotpSeed()
  const atMs = ports.runtime.now()
  const command = { type: 'OfferAuthenticator', atMs, sessionId, totpSeed } as const
  const offered = await askAccount(ports, accountId, command)
  if (isRefused(offered)) return offered
  const { emailAddress, newAuthenticator } = offered.private ?? {}
  const expiresAtMs = newAuthenticator?.expiresAtMs ?? atMs
  return { totpSeed, totpUrl: totpUrl(totpSeed, emailAddress ?? ''), expiresAtMs }
}

/** The first code of the new authenticator: the old one is good for nothing, and every other session ends. */
export const exchangeAuthenticator = async (
  ports: AccountPorts,
  who: SignedInAs,
  code: string,
): Promise<Session | Refused> => {
  const { accountId, sessionId } = who
  const found = await ownSession(ports, who)
  if (isRefused(found)) return found
  const atMs = ports.runtime.now()
  const offered = newAuthenticatorOf(found.account, sessionId, atMs)
  // Where nothing waits for a code, none is guessed.
  if (offered === null) return noAuthenticator
  const exchanged = await proveInSession(ports, who, async () => {
    const { totpSeed } = offered
    const step = totpStep(totpSeed, code, atMs)
    const command = { type: 'ExchangeAuthenticator', atMs, sessionId, totpSeed, step } as const
    const answer = await endingActs(ports, accountId, () => askAccount(ports, accountId, command))
    return isRefused(answer) ? wrongCode(answer) : answer
  })
  return isRefused(exchanged) ? exchanged : sessionIn(exchanged, sessionId)
}
