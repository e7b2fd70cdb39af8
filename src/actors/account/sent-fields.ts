import { Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { MALFORMED } from '../../http/route/fields.ts'

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
