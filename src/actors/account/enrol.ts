import { limits } from '../../domain/limits.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import { rosterOf } from '../roster/rules.ts'
import { activeTenant } from '../tenant/read.ts'
import {
  askAccount,
  newSessionOf,
  sessionAudit,
  type AccountPorts,
  type Origin,
  type SignedIn,
} from './ask-account.ts'
import { knownAsker } from './passwords.ts'
import { noInvitation } from './rules.ts'
import { hashOfRecoveryCode, newRecoveryCodes, readAccountToken } from './secrets.ts'
import { newTotpSeed, totpStep, totpUrl } from './totp.ts'

/** The secrets are in these answers and nowhere else. */
export type Enrolment = {
  readonly emailAddress: string
  readonly totpSeed: string
  readonly totpUrl: string
}
export type Enrolled = SignedIn & { readonly recoveryCodes: readonly string[] }

/** Takes name and password of the invited person; the invitation is used up only when the second factor works. */
export const beginEnrolment = async (
  ports: AccountPorts,
  { invitation, name, password }: { invitation: string; name: string; password: string },
): Promise<Enrolment | Refused> => {
  const pass = readAccountToken(ports.tokenTags, 'invitation', invitation)
  if (pass === null) return noInvitation
  const known = await ports.actors.read(pass.account)
  const atMs = ports.runtime.now()
  // Looked at before the password is hashed, which is dear.
  if (isRefused(known) || known.invitation?.hash !== pass.hash || known.invitation.expiresAtMs <= atMs)
    return noInvitation
  if (known.organisation !== null) {
    const tenant = await activeTenant(ports, known.organisation)
    if (isRefused(tenant)) return tenant
  }
  const emailAddress = known.private?.emailAddress ?? ''
  const weak = passwordProblem(password, emailAddress)
  if (weak !== null) return refuse('invalid_request', weak)
  const passwordHash = await ports.passwords.hash(password, knownAsker(pass.account))
  const totpSeed = newTotpSeed()
  const proof = { atMs, invitationHash: pass.hash }
  const command = { type: 'BeginEnrolment', ...proof, name, passwordHash, totpSeed } as const
  const begun = await askAccount(ports, pass.account, command)
  return isRefused(begun) ? begun : { emailAddress, totpSeed, totpUrl: totpUrl(totpSeed, emailAddress) }
}

/** The first code from the authenticator makes the account, and opens its first session. */
export const confirmEnrolment = async (
  ports: AccountPorts,
  { invitation, code, from }: { invitation: string; code: string; from: Origin },
): Promise<Enrolled | Refused> => {
  const { actors, runtime } = ports
  const pass = readAccountToken(ports.tokenTags, 'invitation', invitation)
  if (pass === null) return noInvitation
  const known = await actors.read(pass.account)
  if (isRefused(known) || known.status !== 'invited') return noInvitation
  const seed = known.private?.totpSeed ?? null
  if (seed === null) return noInvitation
  const { organisation } = known
  const id = pass.account
  const atMs = runtime.now()
  const recoveryCodes = newRecoveryCodes()
  const { session, opened } = newSessionOf(ports, id, from)
  const enrolled = await actors.askAtomically(
    [
      addressed(rosterOf(organisation), { type: 'MarkActive', account: id }),
      addressed(id, {
        type: 'ConfirmEnrolment',
        atMs,
        invitationHash: pass.hash,
        step: totpStep(seed, code, atMs),
        recoveryHashes: recoveryCodes.map(hashOfRecoveryCode),
        session,
      }),
      sessionAudit(ports, organisation, id, { action: 'confirmEnrolment', atMs }),
    ],
    { commandId: runtime.newId(), tenant: organisation },
  )
  return isRefused(enrolled) ? enrolled : { ...opened(enrolled[1]), recoveryCodes }
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
