import { createHash } from 'node:crypto'

const I32_MAX = 2_147_483_647
const I32_MIN = -2_147_483_648

/** The library's name of an attribute in keys and proofs. */
export const commonView = (attribute: string): string => attribute.replaceAll(' ', '').toLowerCase()

/** The standard encoding of AnonCreds: 32-bit integers as themselves, everything else as its SHA-256. */
export const encodeValue = (raw: string): string => {
  if (/^[+-]?\d+$/.test(raw)) {
    const number = Number(raw)
    // Adding 0 turns -0 into 0.
    if (number >= I32_MIN && number <= I32_MAX) return String(number + 0)
  }
  return BigInt(`0x${createHash('sha256').update(raw).digest('hex')}`).toString()
}

export const encodeValues = (
  values: Readonly<Record<string, string>>,
): Record<string, { raw: string; encoded: string }> =>
  Object.fromEntries(
    Object.entries(values).map(([name, raw]) => [name, { raw, encoded: encodeValue(raw) }] as const),
  )
