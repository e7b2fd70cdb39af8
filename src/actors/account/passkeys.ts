import { createHash } from 'node:crypto'
import {
  generateRegistrationOptions,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { askAccount, ownSession, type AccountPorts } from './ask-account.ts'
import type { AccountRecord, Passkey, SecondFactor, Session, SignedInAs } from './state.ts'

/** What a page hands to the browser to use a passkey that is there. */
export type PasskeyUseOptions = {
  readonly challenge: string
  readonly rpId: string
  readonly credentialIds: readonly string[]
}

export type PasskeyMakingOptions = Awaited<ReturnType<typeof generateRegistrationOptions>>

type Place = Pick<AccountPorts, 'publicUrl'>

const STEP_UP_MS = limits.secondFactorMinutes * 60_000

/** For what a passkey is used: what was signed for one is good for nothing else. */
type Use = 'use' | 'step-up'

/**
 * Null for an account without passkeys. The pass of a sign-in is random, good once and for minutes, and so is what is made
 * of it.
 */
export const passkeyRequest = (
  ports: Place,
  { private: own }: AccountRecord,
  use: Use,
  secret: string,
): PasskeyUseOptions | null => {
  const credentialIds = (own?.passkeys ?? []).map(({ credentialId }) => credentialId)
  if (credentialIds.length === 0) return null
  return { challenge: challengeOf(use, secret), rpId: rpIdOf(ports), credentialIds }
}

/**
 * Of a live session: its token is random, and showing the second factor changes the rest, so that what was signed is good
 * once. The time lets what was signed and kept be good for minutes only.
 */
export const stepUpSecret = ({ tokenHash, steppedUpAtMs }: Session, atMs: number): string =>
  `${tokenHash} ${steppedUpAtMs} ${Math.floor(atMs / STEP_UP_MS)}`

/** What may be signed now: also what was asked for a moment before the time went on. */
export const stepUpSecrets = (session: Session, atMs: number): readonly string[] => [
  stepUpSecret(session, atMs),
  stepUpSecret(session, atMs - STEP_UP_MS),
]

type PasskeyFactor = Extract<SecondFactor, { readonly by: 'passkey' }>

/** Which passkey was used; one that is not proved is none. */
export const passkeyFactor = async (
  ports: Place,
  { private: own }: AccountRecord,
  response: AuthenticationResponseJSON,
  use: Use,
  secrets: readonly string[],
): Promise<PasskeyFactor> => {
  const unproved = { by: 'passkey', id: null, counter: 0 } as const
  const passkey = own?.passkeys.find(({ credentialId }) => credentialId === response.id)
  if (passkey === undefined) return unproved
  const challenges = secrets.map((secret) => challengeOf(use, secret))
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (signed) => challenges.includes(signed),
      expectedOrigin: consoleOrigin(ports),
      expectedRPID: rpIdOf(ports),
      requireUserVerification: false,
      // The owner of the account compares the counters: only there is the newest one known.
      credential: {
        id: passkey.credentialId,
        publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
        counter: 0,
      },
    })
    return verified ? { by: 'passkey', id: passkey.id, counter: authenticationInfo.newCounter } : unproved
  } catch {
    // The library throws for what does not fit, and its message quotes what was sent.
    return unproved
  }
}

/** What a page hands to the browser to make a passkey. */
export const passkeyOptions = async (
  ports: AccountPorts,
  who: SignedInAs,
): Promise<PasskeyMakingOptions | Refused> => {
  const found = await ownSession(ports, who)
  if (isRefused(found)) return found
  const { account, session } = found
  const { emailAddress, name, passkeys } = account.private ?? { emailAddress: '', name: '', passkeys: [] }
  return generateRegistrationOptions({
    rpName: 'Vouchsafe',
    rpID: rpIdOf(ports),
    userName: emailAddress ?? '',
    userDisplayName: name ?? '',
    userID: Uint8Array.from(Buffer.from(who.accountId)),
    challenge: Uint8Array.from(Buffer.from(registrationChallenge(session, passkeys.length), 'base64url')),
    attestationType: 'none',
    excludeCredentials: passkeys.map(({ credentialId: id }) => ({ id })),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

export const addPasskey = async (
  ports: AccountPorts,
  who: SignedInAs,
  { label, response }: { readonly label: string; readonly response: RegistrationResponseJSON },
): Promise<Passkey | Refused> => {
  const found = await ownSession(ports, who)
  if (isRefused(found)) return found
  const challenge = registrationChallenge(found.session, found.account.private?.passkeys.length ?? 0)
  const addedAtMs = ports.runtime.now()
  const passkey = await verifiedPasskey(ports, challenge, response, { label, addedAtMs })
  if (isRefused(passkey)) return passkey
  const command = { type: 'AddPasskey', atMs: addedAtMs, passkey } as const
  const reply = await askAccount(ports, who.accountId, command)
  return isRefused(reply) ? reply : passkey
}

export const removePasskey = (
  ports: AccountPorts,
  accountId: string,
  passkeyId: string,
): Promise<AccountRecord | Refused> =>
  askAccount(ports, accountId, { type: 'RemovePasskey', atMs: ports.runtime.now(), passkeyId })

const verifiedPasskey = async (
  ports: Place,
  expectedChallenge: string,
  response: RegistrationResponseJSON,
  facts: Pick<Passkey, 'label' | 'addedAtMs'>,
): Promise<Passkey | Refused> => {
  const refused = refuse('invalid_request', 'response could not be verified; begin again with fresh options.')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge,
      expectedOrigin: consoleOrigin(ports),
      expectedRPID: rpIdOf(ports),
      requireUserVerification: false,
    })
    if (!verified) return refused
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential
    return {
      ...facts,
      id: createHash('sha256').update(credentialId).digest('hex').slice(0, 32),
      credentialId,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports,
      lastUsedAtMs: null,
    }
  } catch {
    return refused
  }
}

/** The challenge belongs to this session, this second factor and the next passkey: one made for another time does not fit. */
const registrationChallenge = ({ tokenHash, steppedUpAtMs }: Session, count: number): string =>
  challengeOf('make', `${tokenHash} ${steppedUpAtMs} ${count}`)

const challengeOf = (what: Use | 'make', secret: string): string =>
  createHash('sha256').update(`passkey ${what} ${secret}`).digest('base64url')

const consoleOrigin = ({ publicUrl }: Place): string => new URL(publicUrl()).origin

const rpIdOf = ({ publicUrl }: Place): string => new URL(publicUrl()).hostname
