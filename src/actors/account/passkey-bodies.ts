import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { Type } from 'typebox'
import { exact, words } from '../../http/route/fields.ts'

const text = (description: string) => Type.String({ maxLength: 20_000, description })
const clientDataJSON = text('What the browser signed, in base64url.')

const credential = (
  description: string,
  response: Readonly<Record<string, object>>,
  required: readonly string[],
) => ({
  type: 'object',
  description,
  required: ['id', 'rawId', 'type', 'response', 'clientExtensionResults'],
  properties: {
    id: text('The passkey, in base64url.'),
    rawId: text('The same.'),
    type: { const: 'public-key', description: 'The only type there is.' },
    authenticatorAttachment: text('Where the passkey is: platform or cross-platform.'),
    clientExtensionResults: { type: 'object', description: 'What extensions answered.' },
    // Browsers add fields of their own from time to time.
    response: { type: 'object', description: 'What the passkey answered.', required, properties: response },
  },
})

/** As `PublicKeyCredential.toJSON()` writes them. */
export const passkeyRegistrationBody = Type.Unsafe<RegistrationResponseJSON>(
  credential(
    'What the browser made.',
    {
      clientDataJSON,
      attestationObject: text('The new key, in base64url.'),
      transports: {
        type: 'array',
        description: 'How the passkey can be reached.',
        items: { type: 'string', maxLength: 50 },
        maxItems: 10,
      },
    },
    ['clientDataJSON', 'attestationObject'],
  ),
)

export const passkeyAssertionBody = Type.Unsafe<AuthenticationResponseJSON>(
  credential(
    'A passkey that the browser has asked, instead of a code.',
    {
      clientDataJSON,
      authenticatorData: text('What the passkey says of itself, in base64url.'),
      signature: text('Its signature, in base64url.'),
      userHandle: text('The account, in base64url.'),
    },
    ['clientDataJSON', 'authenticatorData', 'signature'],
  ),
)

export const passkeyRequested = Type.Union(
  [
    exact({
      challenge: words('What the passkey signs.', 'Y2hhbGxlbmdl'),
      rpId: words('The host that the passkeys belong to.', 'vouchsafe.example'),
      credentialIds: Type.Array(Type.String(), { description: 'The passkeys of the account.' }),
    }),
    Type.Null(),
  ],
  { description: 'What the browser asks a passkey for; null where the account has none.' },
)
