import type { AccountRecord, Session } from './state.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import type { AccountPorts, Origin } from './account-ports.ts'
import { hashOfRecoveryCode, newRecoveryCodes, readAccountToken } from './secrets.ts'
import { askAccount, readAccount } from './ask-account.ts'
import { isLocked, type Locked } from '../sign-in-lockout/commands.ts'
import { passwordProblem } from './enrol.ts'
import { attemptOf } from './sign-in.ts'
import { totpStep } from './totp.ts'

/** Whoever a session belongs to, and which of theirs it is. */
export type SignedInAs = { readonly accountId: string; readonly sessionId: string }

export type OwnSession = SignedInAs & { readonly account: AccountRecord; readonly session: Session }

/** Asked for every request of the console: one read of one actor. */
export const sessionOf = async (ports: AccountPorts, token: string): Promise<OwnSession | null> => {
  const pass = readAccountToken(token)
  if (pass === null) return null
  const command = { type: 'ReadSession', atMs: ports.runtime.now(), tokenHash: pass.hash } as const
  const reply = await askAccount(ports, pass.account, command)
  if (isRefused(reply) || reply.session === null) return null
  return {
    accountId: pass.account,
    sessionId: reply.session.id,
    account: reply.account,
    session: reply.session,
  }
}

/** A fresh code, before secrets are shown. */
export const stepUp = async (
  ports: AccountPorts,
  { accountId, sessionId }: SignedInAs,
  code: string,
  from: Origin,
): Promise<Session | Locked | Refused> => {
  const known = await readAccount(ports, accountId)
  if (known === null) return refuse('unauthorized', 'The session is over; sign in again.')
  const attempt = await attemptOf(ports, known, from)
  if (isLocked(attempt)) return attempt
  const atMs = ports.runtime.now()
  const step = totpStep(known.private?.totpSeed ?? '', code, atMs)
  const reply = await askAccount(ports, accountId, { type: 'StepUp', atMs, sessionId, step })
  if (isRefused(reply)) return reply
  await attempt.forget()
  if (reply.session === null) throw new Error('a step-up is of a session')
  return reply.session
}

export const ownSessions = async (ports: AccountPorts, accountId: string): Promise<readonly Session[]> => {
  const known = await readAccount(ports, accountId)
  const atMs = ports.runtime.now()
  const live = (known?.private?.sessions ?? []).filter(({ expiresAtMs }) => expiresAtMs > atMs)
  return live.toSorted((one, other) => other.openedAtMs - one.openedAtMs)
}

/** Null when it is over. */
export const endSession = async (
  ports: AccountPorts,
  { accountId, sessionId }: SignedInAs,
): Promise<Refused | null> => {
  const reply = await askAccount(ports, accountId, {
    type: 'EndSession',
    atMs: ports.runtime.now(),
    sessionId,
  })
  return isRefused(reply) ? reply : null
}

export const endSessions = async (ports: AccountPorts, accountId: string): Promise<Refused | null> => {
  const reply = await askAccount(ports, accountId, { type: 'EndSessions', atMs: ports.runtime.now() })
  return isRefused(reply) ? reply : null
}

/** Every other session ends. */
export const changePassword = async (
  ports: AccountPorts,
  { accountId, sessionId }: SignedInAs,
  { currentPassword, newPassword, from }: { currentPassword: string; newPassword: string; from: Origin },
): Promise<Locked | Refused | null> => {
  const known = await readAccount(ports, accountId)
  if (known === null) return refuse('unauthorized', 'The session is over; sign in again.')
  const weak = passwordProblem(newPassword, known.private?.emailAddress ?? '')
  if (weak !== null) return refuse('invalid_request', `newPassword: ${weak}`)
  const attempt = await attemptOf(ports, known, from)
  if (isLocked(attempt)) return attempt
  if (!(await ports.passwords.verify(known.private?.passwordHash ?? null, currentPassword)))
    return refuse('forbidden', 'currentPassword is wrong.')
  await attempt.forgive()
  const passwordHash = await ports.passwords.hash(newPassword)
  const command = {
    type: 'ChangePassword',
    atMs: ports.runtime.now(),
    passwordHash,
    keepSessionId: sessionId,
  } as const
  const reply = await askAccount(ports, accountId, command)
  return isRefused(reply) ? reply : null
}

/** The old ones are good for nothing from now on. No codes when the same order was answered with them before. */
export const replaceRecoveryCodes = async (
  ports: AccountPorts,
  accountId: string,
  order: string,
): Promise<{ readonly codes: readonly string[] | null } | Refused> => {
  const codes = newRecoveryCodes()
  const recoveryHashes = codes.map(hashOfRecoveryCode)
  const command = { type: 'ReplaceRecoveryCodes', atMs: ports.runtime.now(), recoveryHashes } as const
  const reply = await askAccount(ports, accountId, command, `recovery-codes:${order}`)
  if (isRefused(reply)) return reply
  const known = reply.account.private?.recoveryHashes ?? []
  return { codes: recoveryHashes.every((hash) => known.includes(hash)) ? codes : null }
}
