import { createHash } from 'node:crypto'
import { encodeAttribute } from '../domain/encoding.ts'

/** The library's name of an attribute in keys and proofs. */
export const commonView = (attribute: string): string => attribute.replaceAll(' ', '').toLowerCase()

/** What we sign for a text: as wallets encode it, who refuse a credential that says otherwise. */
export const encodeValue = (raw: string): string =>
  encodeAttribute(raw, (text) => createHash('sha256').update(text).digest())

/**
 * Whether an integer stands for a text. The library also takes `+5` for 5 when it encodes by itself, so other issuers
 * have signed that; their credentials are honest.
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
