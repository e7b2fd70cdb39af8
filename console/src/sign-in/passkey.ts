import type { FinishSignInBody, Gives } from '../api/generated/operations.ts'

type Asked = NonNullable<Gives['beginSignIn']['passkey']>
type Shown = NonNullable<FinishSignInBody['passkey']>

export const knowsPasskeys = (): boolean => 'PublicKeyCredential' in globalThis

/** What a passkey of this person answers; null where none was shown. */
export const showPasskey = async ({ challenge, rpId, credentialIds }: Asked): Promise<Shown | null> => {
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

const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')),
    (letter) => letter.codePointAt(0) ?? 0,
  )

const textOf = (bytes: ArrayBuffer): string =>
  btoa(String.fromCodePoint(...new Uint8Array(bytes)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
