import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { limits } from '../../domain/limits.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import { recordAudit } from '../audit-entry/commands.ts'
import { shardOfRealm, type Realm } from '../roster/rules.ts'
import {
  beginAttempt,
  countAtPlace,
  type Attempt,
  type CountedFor,
  type Place,
} from '../sign-in-lockout/commands.ts'
import { activeTenant } from '../tenant/read.ts'
import {
  askAccount,
  isRealm,
  newSessionOf,
  readRoster,
  sessionAudit,
  type Origin,
  type SignInPorts,
  type SignedIn,
} from './ask-account.ts'
import { emailFingerprint, normalEmailAddress } from './email-address.ts'
import { knownDevice, type DeviceOwner } from './known-device.ts'
import { passkeyFactor, passkeyRequest, type PasskeyUseOptions } from './passkeys.ts'
import { isTurnedAway, knownAsker, stranger } from './passwords.ts'
import { signInOver } from './rules.ts'
import { hashOfRecoveryCode, newAccountToken, readAccountToken } from './secrets.ts'
import { account, type AccountRecord, type SecondFactor } from './state.ts'
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
  readonly passkey: PasskeyUseOptions | null
}

const wrong = refuse(
  'unauthorized',
  'E-mail address or password is wrong, there is no such account, or it was tried too often lately.',
)

/** The password. Nothing tells whether the account exists: not the answer, not its time, not the lock. */
export const beginSignIn = async (ports: SignInPorts, order: SignInOrder): Promise<SignInBegun | Refused> => {
  const place = await countAtPlace(ports, order.from.address)
  if (isRefused(place)) return place
  const shown = await ports.passwords.inSteps(() => checkPassword(ports, place, order))
  if (isRefused(shown)) return shown
  const { accountId, account: known, attempt } = shown
  if (known.organisation !== null) {
    const tenant = await activeTenant(ports, known.organisation)
    if (isRefused(tenant)) return tenant
  }
  const { token, hash } = newAccountToken(ports.tokenTags, 'sign-in', accountId)
  const atMs = ports.runtime.now()
  const expiresAtMs = atMs + limits.secondFactorMinutes * 60_000
  const opened = await askAccount(ports, accountId, {
    type: 'OpenSignIn',
    atMs,
    signIn: { hash, expiresAtMs },
  })
  if (isRefused(opened)) return wrong
  await attempt.forgive()
  return { signIn: token, expiresAtMs, passkey: passkeyRequest(ports, known, 'use', token) }
}

type Found = { readonly accountId: string; readonly account: AccountRecord }

const checkPassword = async (
  ports: SignInPorts,
  place: Place,
  { organisation, emailAddress, password, from }: SignInOrder,
): Promise<(Found & { readonly attempt: Attempt }) | Refused> => {
  const print = await emailFingerprint(ports, organisation, normalEmailAddress(emailAddress) ?? '')
  const found = isRealm(organisation) ? await findAccount(ports, organisation, print) : null
  const counted: CountedFor =
    found === null ? { what: 'stranger', emailAddress: print } : countedFor(ports, found, from, print)
  const attempt = await beginAttempt(ports, place, counted)
  if (isRefused(attempt)) return attempt
  const asker =
    found !== null && counted.what === 'device' ? knownAsker(found.accountId) : stranger(from.address)
  const hashed = found?.account.private?.passwordHash ?? null
  const isRight = await ports.passwords.verify(hashed, password, asker).catch((error: unknown) => {
    // Not waited for, as the time of a commit that strangers do not cost.
    if (isTurnedAway(error)) void attempt.forgive().catch(() => undefined)
    throw error
  })
  // The durable count takes time that strangers do not cost, so no wrong password waits for it; nor does its lock show.
  if (found !== null && isRight && found.account.status === 'active' && (await attempt.counted) === null)
    return { ...found, attempt }
  // Not waited for, as another commit that strangers do not cost.
  if (found !== null)
    void recordAudit(ports, failed(organisation, found.accountId), 'refused').catch(() => undefined)
  return wrong
}

/** Exactly one of the three is set. */
export type ShownFactor = {
  readonly code?: string
  readonly recoveryCode?: string
  readonly passkey?: AuthenticationResponseJSON
}

/** The second factor, which opens the session. */
export const finishSignIn = async (
  ports: SignInPorts,
  order: ShownFactor & { readonly signIn: string; readonly from: Origin },
): Promise<SignedIn | Refused> => {
  const { actors, runtime } = ports
  const pass = readAccountToken(ports.tokenTags, 'sign-in', order.signIn)
  if (pass === null) return signInOver
  const known = await actors.read(pass.account)
  if (isRefused(known) || known.signIn?.hash !== pass.hash) return signInOver
  const id = pass.account
  const { organisation } = known
  const attempt = await countCode(ports, { accountId: id, account: known }, order.from)
  if (isRefused(attempt)) return attempt
  const atMs = runtime.now()
  const { session, opened } = newSessionOf(ports, id, order.from)
  const factor =
    order.passkey === undefined
      ? factorOf(known, order, atMs)
      : await passkeyFactor(ports, known, order.passkey, 'use', [order.signIn])
  const signedIn = await actors.askAtomically(
    [
      addressed(id, { type: 'FinishSignIn', atMs, signInHash: pass.hash, factor, session }),
      sessionAudit(ports, organisation, id, { action: 'signIn', atMs }),
    ],
    { commandId: runtime.newId(), tenant: organisation },
  )
  if (isRefused(signedIn)) {
    await recordAudit(ports, failed(organisation, id), 'refused')
    return signedIn
  }
  await attempt.forget()
  return opened(signedIn[0])
}

/** Counted with the passwords of the same account, so that a known password is no way to guess codes. */
const countCode = async (ports: SignInPorts, whose: Found, from: Origin): Promise<Attempt | Refused> => {
  const place = await countAtPlace(ports, from.address)
  if (isRefused(place)) return place
  const { organisation, private: own } = whose.account
  const print = await emailFingerprint(ports, organisation, own?.emailAddress ?? '')
  const attempt = await beginAttempt(ports, place, countedFor(ports, whose, from, print))
  return isRefused(attempt) ? attempt : ((await attempt.counted) ?? attempt)
}

/** Who attacks an account from elsewhere counts for the account, and not for the devices of its owner. */
const countedFor = (
  { tokenTags, runtime }: SignInPorts,
  whose: DeviceOwner,
  { cookies }: Origin,
  emailAddress: string,
): CountedFor => {
  const device = knownDevice(tokenTags, cookies, whose, runtime.now())
  return device === null
    ? { what: 'account', id: whose.accountId, emailAddress }
    : { what: 'device', id: device }
}

const factorOf = (
  known: AccountRecord,
  { code, recoveryCode }: { readonly code?: string; readonly recoveryCode?: string },
  atMs: number,
): SecondFactor => {
  if (code === undefined) return { by: 'recovery_code', hash: hashOfRecoveryCode(recoveryCode ?? '') }
  return { by: 'totp', step: totpStep(known.private?.totpSeed ?? '', code, atMs) }
}

const findAccount = async (ports: SignInPorts, realm: Realm, print: string): Promise<Found | null> => {
  const entries = await readRoster(ports, realm)
  const listed = entries.find((entry) => entry.address === print)
  // For strangers an account is read too, so that both take as long: one for each address, as often in memory as others.
  const decoy = entries[Buffer.from(print).readUInt32BE() % Math.max(1, entries.length)]
  const id = (listed ?? decoy)?.account ?? account.newRef(shardOfRealm(realm), 'nobody00')
  const known = await ports.actors.read(account.ref(id))
  return listed === undefined || isRefused(known) ? null : { accountId: id, account: known }
}

const failed = (organisation: Realm, targetId: string) =>
  ({ organisation, initiator: 'nobody', initiatorId: null, action: 'signIn', targetId }) as const
