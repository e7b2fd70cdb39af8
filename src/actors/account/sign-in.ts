import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { ACCOUNT } from './kind.ts'
import type { AccountRecord, SecondFactor } from './state.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'
import { actorId } from '../../domain/shards.ts'
import type { AccountPorts, Origin, Realm } from './account-ports.ts'
import { hashOfRecoveryCode, newAccountToken, readAccountToken } from './secrets.ts'
import { askAccount, askTogetherWith, isRealm, readAccount, readRoster, shardOfRealm } from './ask-account.ts'
import { countAttempt, isLocked, type Locked } from '../sign-in-lockout/commands.ts'
import { recordAudit } from '../audit-entry/record-entry.ts'
import { activeTenant } from '../tenant/read.ts'
import { addressPrint, normalAddress } from './email-address.ts'
import type { SignedIn } from './enrol.ts'
import { type PasskeyRequest, passkeyFactor, passkeyRequest } from './passkeys.ts'
import { totpStep } from './totp.ts'

export type SignInOrder = {
  readonly organisation: Realm
  readonly emailAddress: string
  readonly password: string
  readonly from: Origin
}

/** The pass to the second factor. */
export type SignInBegun = {
  readonly signIn: string
  readonly expiresAtMs: number
  readonly passkey: PasskeyRequest | null
}

const wrong = () =>
  refuse('unauthorized', 'E-mail address or password is wrong, or there is no such account.')

/** The password. Nothing tells whether the account exists: not the answer, not its time, not the lock. */
export const beginSignIn = async (
  ports: AccountPorts,
  { organisation, emailAddress, password, from }: SignInOrder,
): Promise<SignInBegun | Locked | Refused> => {
  const address = normalAddress(emailAddress) ?? ''
  const print = await addressPrint(ports, organisation, address)
  const attempt = await countAttempt(ports, print, from.address)
  if (isLocked(attempt)) return attempt
  const found = isRealm(organisation) ? await findAccount(ports, organisation, print) : null
  const isRight = await ports.passwords.verify(found?.account.private?.passwordHash ?? null, password)
  if (found === null || !isRight || found.account.status !== 'active') {
    // Not waited for: a commit that strangers do not cost would tell who has an account.
    if (found !== null)
      void recordAudit(ports, failed(organisation, found.id), 'refused').catch(() => undefined)
    return wrong()
  }
  if (organisation !== null) {
    const tenant = await activeTenant(ports, organisation)
    if (isRefused(tenant)) return tenant
  }
  const { token, hash } = newAccountToken(found.id)
  const atMs = ports.runtime.now()
  const expiresAtMs = atMs + limits.secondFactorMinutes * 60_000
  const opened = await askAccount(ports, found.id, {
    type: 'OpenSignIn',
    atMs,
    signIn: { hash, expiresAtMs },
  })
  if (isRefused(opened)) return wrong()
  await attempt.forgive()
  return { signIn: token, expiresAtMs, passkey: passkeyRequest(ports, found.account, token) }
}

/** One of the three. */
export type ShownFactor = {
  readonly code?: string
  readonly recoveryCode?: string
  readonly passkey?: AuthenticationResponseJSON
}

/** The second factor, which opens the session. */
export const finishSignIn = async (
  ports: AccountPorts,
  order: ShownFactor & { readonly signIn: string; readonly from: Origin },
): Promise<SignedIn | Locked | Refused> => {
  const pass = readAccountToken(order.signIn)
  const known = pass === null ? null : await readAccount(ports, pass.account)
  if (pass === null || known === null || known.signIn?.hash !== pass.hash)
    return refuse('unauthorized', 'The sign-in took too long; begin again.')
  const id = pass.account
  const { organisation } = known
  const attempt = await attemptOf(ports, known, order.from)
  if (isLocked(attempt)) return attempt
  const atMs = ports.runtime.now()
  const { token, hash: tokenHash } = newAccountToken(id)
  const { address, userAgent } = order.from
  const session = { id: ports.runtime.newId(), tokenHash, address, userAgent }
  const factor =
    order.passkey === undefined
      ? factorOf(known, order, atMs)
      : await passkeyFactor(ports, known, order.signIn, order.passkey)
  const command = { type: 'FinishSignIn', atMs, signInHash: pass.hash, factor, session } as const
  const initiator = organisation === null ? 'operator' : 'member'
  const audit = { organisation, initiator, initiatorId: id, action: 'signIn', targetId: id } as const
  const reply = await askTogetherWith(ports, organisation, { id, command }, { audit })
  if (isRefused(reply)) {
    await recordAudit(ports, failed(organisation, id), 'refused')
    return reply
  }
  if (reply.session === null) throw new Error('a sign-in opens a session')
  await attempt.forget()
  return { accountId: id, account: reply.account, session: reply.session, token }
}

/** Counted with the passwords of the same account, so that a known password is no way to guess codes. */
export const attemptOf = async (
  ports: AccountPorts,
  { organisation, private: own }: AccountRecord,
  from: Origin,
) => {
  const print = await addressPrint(ports, organisation, own?.emailAddress ?? '')
  return countAttempt(ports, print, from.address)
}

const factorOf = (
  known: AccountRecord,
  { code, recoveryCode }: { readonly code?: string; readonly recoveryCode?: string },
  atMs: number,
): SecondFactor => {
  if (code === undefined) return { by: 'recovery_code', hash: hashOfRecoveryCode(recoveryCode ?? '') }
  return { by: 'totp', step: totpStep(known.private?.totpSeed ?? '', code, atMs) }
}

const findAccount = async (ports: AccountPorts, realm: Realm, print: string) => {
  const listed = (await readRoster(ports, realm)).find((entry) => entry.address === print)
  // For strangers an account is read too, one that cannot be, so that both take as long.
  const account = await readAccount(ports, listed?.account ?? nobodyIn(realm))
  return listed === undefined || account === null ? null : { id: listed.account, account }
}

const nobodyIn = (realm: Realm): string => actorId(ACCOUNT, shardOfRealm(realm), 'nobody00')

const failed = (organisation: Realm, targetId: string) =>
  ({ organisation, initiator: 'nobody', initiatorId: null, action: 'signIn', targetId }) as const
