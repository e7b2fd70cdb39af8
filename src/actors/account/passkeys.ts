import { createHash } from 'node:crypto'
import {
  generateRegistrationOptions,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
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

/** Null for an account without passkeys. The pass is random, good once and for minutes, and so is what is made of it. */
export const passkeyRequest = (
  ports: Place,
  { private: own }: AccountRecord,
  signIn: string,
): PasskeyUseOptions | null => {
  const credentialIds = (own?.passkeys ?? []).map(({ credentialId }) => credentialId)
  if (credentialIds.length === 0) return null
  return { challenge: challengeOf('use', signIn), rpId: rpIdOf(ports), credentialIds }
}

/** Which passkey was used; one that is not proved is none. */
export const passkeyFactor = async (
  ports: Place,
  { private: own }: AccountRecord,
  signIn: string,
  response: AuthenticationResponseJSON,
): Promise<SecondFactor> => {
  const unproved = { by: 'passkey', id: null, counter: 0 } as const
  const passkey = own?.passkeys.find(({ credentialId }) => credentialId === response.id)
  if (passkey === undefined) return unproved
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challengeOf('use', signIn),
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

/** Of this session, after this second factor, for the next passkey: what was made for another time does not fit. */
const registrationChallenge = ({ tokenHash, steppedUpAtMs }: Session, count: number): string =>
  challengeOf('make', `${tokenHash} ${steppedUpAtMs} ${count}`)

const challengeOf = (what: 'use' | 'make', secret: string): string =>
  createHash('sha256').update(`passkey ${what} ${secret}`).digest('base64url')

const consoleOrigin = ({ publicUrl }: Place): string => new URL(publicUrl()).origin

const rpIdOf = ({ publicUrl }: Place): string => new URL(publicUrl()).hostname
