import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'

const text = Type.String({ maxLength: 20_000 })
const credential = (response: Readonly<Record<string, object>>, required: readonly string[]) => ({
  type: 'object',
  required: ['id', 'rawId', 'type', 'response', 'clientExtensionResults'],
  properties: {
    id: text,
    rawId: text,
    type: { const: 'public-key' },
    authenticatorAttachment: text,
    clientExtensionResults: { type: 'object' },
    // Browsers add fields of their own from time to time.
    response: { type: 'object', required, properties: response },
  },
})

/** As `PublicKeyCredential.toJSON()` writes them. */
export const madeByPasskey = Type.Unsafe<RegistrationResponseJSON>(
  credential(
    {
      clientDataJSON: text,
      attestationObject: text,
      transports: { type: 'array', items: { type: 'string', maxLength: 50 }, maxItems: 10 },
    },
    ['clientDataJSON', 'attestationObject'],
  ),
)

export const shownByPasskey = Type.Unsafe<AuthenticationResponseJSON>(
  credential({ clientDataJSON: text, authenticatorData: text, signature: text, userHandle: text }, [
    'clientDataJSON',
    'authenticatorData',
    'signature',
  ]),
)
