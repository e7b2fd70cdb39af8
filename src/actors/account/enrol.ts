import type { AccountRecord, Session } from './state.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { activeTenant } from '../tenant/read.ts'
import type { AccountPorts, Origin } from './account-ports.ts'
import { hashOfRecoveryCode, newAccountToken, newRecoveryCodes, readAccountToken } from './secrets.ts'
import { askAccount, askTogetherWith, readAccount } from './ask-account.ts'
import { newTotpSeed, totpStep, totpUrl } from './totp.ts'

/** The secrets are in these answers and nowhere else. */
export type Enrolment = {
  readonly account: AccountRecord
  readonly totpSeed: string
  readonly totpUrl: string
}
export type SignedIn = {
  readonly accountId: string
  readonly account: AccountRecord
  readonly session: Session
  readonly token: string
}
export type Enrolled = SignedIn & { readonly recoveryCodes: readonly string[] }

const noInvitation = () => refuse('not_found', 'The invitation is not valid any more; ask for a new one.')

/** Name and password of whoever was invited; the invitation is used up only when the second factor works. */
export const beginEnrolment = async (
  ports: AccountPorts,
  { invitation, name, password }: { invitation: string; name: string; password: string },
): Promise<Enrolment | Refused> => {
  const pass = readAccountToken(invitation)
  const known = pass === null ? null : await readAccount(ports, pass.account)
  const atMs = ports.runtime.now()
  // Looked at before the password is hashed, which is dear.
  if (pass === null || known?.invitation?.hash !== pass.hash || known.invitation.expiresAtMs <= atMs)
    return noInvitation()
  if (known.organisation !== null) {
    const tenant = await activeTenant(ports, known.organisation)
    if (isRefused(tenant)) return tenant
  }
  const emailAddress = known.private?.emailAddress ?? ''
  const weak = passwordProblem(password, emailAddress)
  if (weak !== null) return refuse('invalid_request', weak)
  const passwordHash = await ports.passwords.hash(password)
  const totpSeed = newTotpSeed()
  const reply = await askAccount(ports, pass.account, {
    type: 'BeginEnrolment',
    atMs,
    invitationHash: pass.hash,
    name,
    passwordHash,
    totpSeed,
  })
  if (isRefused(reply)) return reply
  return { account: reply.account, totpSeed, totpUrl: totpUrl(totpSeed, emailAddress) }
}

/** The first code from the authenticator makes the account, and opens its first session. */
export const confirmEnrolment = async (
  ports: AccountPorts,
  { invitation, code, from }: { invitation: string; code: string; from: Origin },
): Promise<Enrolled | Refused> => {
  const pass = readAccountToken(invitation)
  const known = pass === null ? null : await readAccount(ports, pass.account)
  const seed = known?.private?.totpSeed ?? null
  if (pass === null || known === null || seed === null || known.status !== 'invited') return noInvitation()
  const id = pass.account
  const atMs = ports.runtime.now()
  const recoveryCodes = newRecoveryCodes()
  const { token, hash: tokenHash } = newAccountToken(id)
  const session = { id: ports.runtime.newId(), tokenHash, address: from.address, userAgent: from.userAgent }
  const command = {
    type: 'ConfirmEnrolment',
    atMs,
    invitationHash: pass.hash,
    step: totpStep(seed, code, atMs),
    recoveryHashes: recoveryCodes.map(hashOfRecoveryCode),
    session,
  } as const
  const { organisation } = known
  const initiator = organisation === null ? 'operator' : 'member'
  const reply = await askTogetherWith(
    ports,
    organisation,
    { id, command },
    {
      roster: { type: 'MarkActive', account: id },
      audit: { organisation, initiator, initiatorId: id, action: 'confirmEnrolment', targetId: id },
    },
  )
  if (isRefused(reply)) return reply
  if (reply.session === null) throw new Error('an enrolment opens a session')
  return { accountId: id, account: reply.account, session: reply.session, token, recoveryCodes }
}

/** Why a password is not taken, or null. Length is what counts; rules about characters make passwords worse. */
export const passwordProblem = (password: string, emailAddress: string): string | null => {
  const { passwordCharactersMin: min, passwordCharactersMax: max } = limits
  const { length } = Array.from(password)
  if (length < min || length > max) return `password must have ${min} to ${max} characters.`
  if (new Set(password).size < 4) return 'password must not repeat the same few characters.'
  if (emailAddress !== '' && password.toLowerCase().includes(emailAddress))
    return 'password must not contain the e-mail address.'
  return null
}
