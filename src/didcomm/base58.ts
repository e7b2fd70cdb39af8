const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const VALUES = new Map(Array.from(ALPHABET).map((digit, value) => [digit, value] as const))

/** The most digits that a number holds exactly. */
const GROUP = 9
const GROUP_VALUE = 58n ** BigInt(GROUP)

/**
 * Base58 for whole documents. The package for keys goes digit by digit, which takes a millisecond for a DID that
 * contains its document; big integers go by groups of digits.
 */
export const encodeLong = (bytes: Uint8Array): string => {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  if (zeros < 0) return '1'.repeat(bytes.length)
  let rest = BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
  let text = ''
  for (; rest > 0n; rest /= GROUP_VALUE) text = digitsOf(Number(rest % GROUP_VALUE)) + text
  return '1'.repeat(zeros) + text.replace(/^1+/, '')
}

/** Throws on text that is not base58. */
export const decodeLong = (text: string): Buffer => {
  const ones = text.length - text.replace(/^1+/, '').length
  let value = 0n
  for (let start = 0; start < text.length; start += GROUP) {
    const group = text.slice(start, start + GROUP)
    value = value * 58n ** BigInt(group.length) + BigInt(numberOf(group))
  }
  if (value === 0n) return Buffer.alloc(ones)
  const hex = value.toString(16)
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
  return Buffer.concat([Buffer.alloc(ones), bytes])
}

const digitsOf = (group: number): string => {
  let text = ''
  let rest = group
  for (let count = 0; count < GROUP; count += 1) {
    text = `${ALPHABET[rest % 58]}${text}`
    rest = Math.floor(rest / 58)
  }
  return text
}

const numberOf = (group: string): number => {
  let value = 0
  for (const digit of group) {
    const known = VALUES.get(digit)
    if (known === undefined) throw new RangeError('the text is not base58')
    value = value * 58 + known
  }
  return value
}
