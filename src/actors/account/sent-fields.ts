import { Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { MALFORMED, words } from '../../http/route/fields.ts'

const EMAIL_ADDRESS_CHARACTERS_MAX = 254
/** White space around the address is allowed, and removed later. */
const EMAIL_ADDRESS = String.raw`^\s*[^\s@${MALFORMED}]{1,64}@[^\s@${MALFORMED}]{1,253}\s*$`

export const newPassword = (description: string) =>
  Type.String({
    minLength: limits.passwordCharactersMin,
    maxLength: limits.passwordCharactersMax,
    description: `${description} Not a few characters over and over, and without the e-mail address.`,
  })
export const emailAddress = (description: string) =>
  Type.String({
    minLength: 3,
    maxLength: EMAIL_ADDRESS_CHARACTERS_MAX,
    pattern: EMAIL_ADDRESS,
    description,
    examples: ['ada@registry.example'],
  })
export const authenticatorCode = (description = 'Six digits of the authenticator.') =>
  Type.String({ minLength: 6, maxLength: 7, description })

/** The seed of an authenticator, as it is shown once. */
export const totpFields = {
  totpSeed: words('The seed for an authenticator that is set up by hand.', 'JBSWY3DPEHPK3PXP'),
  totpUrl: words('The same as a URL, for a QR code.', 'otpauth://totp/Vouchsafe?secret=JBSWY3DPEHPK3PXP'),
}
