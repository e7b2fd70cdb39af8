import type { AddPasskeyBody, FinishSignInBody, Gives } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'
import { texts } from '../texts/texts.ts'
import { bytesOf, textOf } from './base64url.ts'

type Asked = NonNullable<Gives['beginSignIn']['passkey']>
type Shown = NonNullable<FinishSignInBody['passkey']>

export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** Where a person closed the browser's dialog, or no passkey fits. */
export const PASSKEY_NOT_SHOWN: Problem = {
  status: 0,
  error: 'unauthorized',
  reason: texts.signIn.passkeyFailed,
  retryAfterSeconds: null,
}

/** What a passkey of this person answers; null where none was shown. */
export const showPasskey = (asked: Asked): Promise<Shown | null> => shown(asked).catch(() => null)

const shown = async ({ challenge, rpId, credentialIds }: Asked): Promise<Shown | null> => {
  const credential = await navigator.credentials.get({
    publicKey: {
      challenge: bytesOf(challenge),
      rpId,
      allowCredentials: credentialIds.map((id) => ({ type: 'public-key', id: bytesOf(id) })),
    },
  })
  if (!(credential instanceof PublicKeyCredential)) return null
  const { response } = credential
  if (!(response instanceof AuthenticatorAssertionResponse)) return null
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      authenticatorData: textOf(response.authenticatorData),
      signature: textOf(response.signature),
      ...(response.userHandle !== null && { userHandle: textOf(response.userHandle) }),
    },
  }
}

type Created = AddPasskeyBody['response']

/** What the service gives for a new passkey, as far as bytes stand in it as text. */
type Offered = Omit<PublicKeyCredentialCreationOptions, 'challenge' | 'user' | 'excludeCredentials'> & {
  readonly challenge: string
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  readonly excludeCredentials?: readonly { readonly id: string }[]
}

/** Makes a passkey on this device; null where the person did not want to. */
export const makePasskey = async (given: object): Promise<Created | null> => {
  const { challenge, user, excludeCredentials = [], ...others } = given as Offered
  const credential = await navigator.credentials.create({
    publicKey: {
      ...others,
      challenge: bytesOf(challenge),
      user: { ...user, id: bytesOf(user.id) },
      excludeCredentials: excludeCredentials.map(({ id }) => ({ type: 'public-key', id: bytesOf(id) })),
    },
  })
  if (!(credential instanceof PublicKeyCredential)) return null
  const { response } = credential
  if (!(response instanceof AuthenticatorAttestationResponse)) return null
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: textOf(response.clientDataJSON),
      attestationObject: textOf(response.attestationObject),
      transports: response.getTransports(),
    },
  }
}
