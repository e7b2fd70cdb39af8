import { chain, type Eventually } from '../../domain/eventually.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { endingActs } from '../acting/act-for.ts'
import { askAccount, type AccountPorts } from './ask-account.ts'
import { passwordProblem } from './enrol.ts'
import { knownAsker } from './passwords.ts'
import { proveInSession } from './prove-in-session.ts'
import { liveSessions, notSignedIn } from './rules.ts'
import { hashOfRecoveryCode, newRecoveryCodes, readAccountToken } from './secrets.ts'
import { account, type AccountRecord, type OwnSession, type Session, type SignedInAs } from './state.ts'

/** Asked for every request of the console: one read of one actor. */
export const ownSessionOfToken = (
  { actors, runtime, tokenTags }: Pick<AccountPorts, 'actors' | 'runtime' | 'tokenTags'>,
  token: string,
): Eventually<OwnSession | null> => {
  const pass = readAccountToken(tokenTags, 'session', token)
  if (pass === null) return null
  return chain(actors.read(pass.account), (known) => {
    if (isRefused(known)) return null
    const session = liveSessions(known, runtime.now()).find(({ tokenHash }) => tokenHash === pass.hash)
    return session === undefined ? null : { accountId: pass.account, account: known, session }
  })
}

export const ownSessions = async (
  { actors, runtime }: Pick<AccountPorts, 'actors' | 'runtime'>,
  accountId: string,
): Promise<readonly Session[]> => {
  const known = await actors.read(account.ref(accountId))
  const live = isRefused(known) ? [] : liveSessions(known, runtime.now())
  // Two may have been opened in the same millisecond; the one that was opened later stands first.
  return live.toReversed().toSorted((one, other) => other.openedAtMs - one.openedAtMs)
}

export const endSessions = (ports: AccountPorts, accountId: string): Promise<AccountRecord | Refused> => {
  const command = { type: 'EndSessions', atMs: ports.runtime.now() } as const
  return endingActs(ports, accountId, () => askAccount(ports, accountId, command))
}

/** Every other session ends. */
export const changePassword = async (
  ports: AccountPorts,
  who: SignedInAs,
  { currentPassword, newPassword }: { readonly currentPassword: string; readonly newPassword: string },
): Promise<AccountRecord | Refused> => {
  const { accountId, sessionId: keepSessionId } = who
  const known = await ports.actors.read(account.ref(accountId))
  if (isRefused(known)) return notSignedIn
  const weak = passwordProblem(newPassword, known.private?.emailAddress ?? '')
  if (weak !== null) return refuse('invalid_request', `newPassword: ${weak}`)
  const proved = await proveInSession(ports, who, async () => {
    const hashed = known.private?.passwordHash ?? null
    const isRight = await ports.passwords.verify(hashed, currentPassword, knownAsker(accountId))
    return isRight ? known : refuse('forbidden', 'currentPassword is wrong.')
  })
  if (isRefused(proved)) return proved
  const passwordHash = await ports.passwords.hash(newPassword, knownAsker(accountId))
  const command = {
    type: 'ChangePassword',
    atMs: ports.runtime.now(),
    passwordHash,
    keepSessionId,
  } as const
  return endingActs(ports, accountId, () => askAccount(ports, accountId, command))
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
  const replaced = await askAccount(ports, accountId, command, `recovery-codes:${order}`)
  if (isRefused(replaced)) return replaced
  const known = replaced.private?.recoveryHashes ?? []
  return { codes: recoveryHashes.every((hash) => known.includes(hash)) ? codes : null }
}
