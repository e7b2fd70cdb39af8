import { createHash } from 'node:crypto'
import { encodeAttribute } from '../domain/attributes.ts'

/** The library's name of an attribute in keys and proofs. */
export const commonView = (attribute: string): string => attribute.replaceAll(' ', '').toLowerCase()

/** The integer to sign for a text, encoded as wallets do it: they refuse a credential that says otherwise. */
export const encodeValue = (raw: string): string =>
  encodeAttribute(raw, (text) => createHash('sha256').update(text).digest())

/**
 * Whether an integer encodes a text. The library also encodes `+5` as 5, so other issuers have signed that; their
 * credentials are honest.
 */
export const isEncodingOf = (encoded: string, raw: string): boolean =>
  encoded === encodeValue(raw) ||
  (/^\+\d+$/.test(raw) && encoded.length <= 10 && encoded === encodeValue(raw.slice(1)))

export const encodeValues = (
  values: Readonly<Record<string, string>>,
): Record<string, { raw: string; encoded: string }> =>
  Object.fromEntries(
    Object.entries(values).map(([name, raw]) => [name, { raw, encoded: encodeValue(raw) }] as const),
  )
