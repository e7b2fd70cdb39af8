/**
 * Names of attributes stand on the ledger for everybody and for ever, so they must not hold what belongs to a person:
 * an e-mail address, a telephone number, or six digits, which may be a date or a number of somebody. `name`, `email` and
 * `birthdate` are names of fields.
 */
export const holdsPersonalData = (name: string): boolean => EMAIL_ADDRESS.test(name) || SIX_DIGITS.test(name)

const EMAIL_ADDRESS = /[^\s@]@[^\s@]+\.[^\s@]/u
/** With what stands between the digits of a telephone number or a date, an underscore for a space included. */
const SIX_DIGITS = /(?:\p{Nd}[\s()./+_\p{Pd}\u2212]*){6}/u
