import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { askAccount, ownSession, type AccountPorts } from './ask-account.ts'
import { wrongCode } from './outcomes.ts'
import {
  passkeyFactor,
  passkeyRequest,
  stepUpSecret,
  stepUpSecrets,
  type PasskeyUseOptions,
} from './passkeys.ts'
import { proveInSession } from './prove-in-session.ts'
import { sessionIn, type AccountCommand, type OwnSession, type Session, type SignedInAs } from './state.ts'
import { totpStep } from './totp.ts'

/** One of the two is set. */
export type ShownAgain = { readonly code?: string; readonly passkey?: AuthenticationResponseJSON }

/** What a passkey is asked to sign instead of a code; null for an account without passkeys. */
export const stepUpOptions = async (
  ports: AccountPorts,
  who: SignedInAs,
): Promise<{ readonly passkey: PasskeyUseOptions | null } | Refused> => {
  const found = await ownSession(ports, who)
  if (isRefused(found)) return found
  const secret = stepUpSecret(found.session, ports.runtime.now())
  return { passkey: passkeyRequest(ports, found.account, 'step-up', secret) }
}

/** A fresh second factor, before secrets are shown. */
export const stepUp = async (
  ports: AccountPorts,
  who: SignedInAs,
  shown: ShownAgain,
): Promise<Session | Refused> => {
  const found = await ownSession(ports, who)
  if (isRefused(found)) return found
  const raised = await proveInSession(ports, who, async () => {
    const command = await commandOf(ports, found, shown)
    const answer = await askAccount(ports, who.accountId, command)
    return isRefused(answer) ? wrongCode(answer) : answer
  })
  return isRefused(raised) ? raised : sessionIn(raised, who.sessionId)
}

const commandOf = async (
  ports: AccountPorts,
  { account, session }: OwnSession,
  { code = '', passkey }: ShownAgain,
): Promise<AccountCommand> => {
  const about = { atMs: ports.runtime.now(), sessionId: session.id }
  if (passkey === undefined)
    return { type: 'StepUp', ...about, step: totpStep(account.private?.totpSeed ?? '', code, about.atMs) }
  const secrets = stepUpSecrets(session, about.atMs)
  const { id: passkeyId, counter } = await passkeyFactor(ports, account, passkey, 'step-up', secrets)
  return { type: 'StepUpByPasskey', ...about, passkeyId, counter }
}
