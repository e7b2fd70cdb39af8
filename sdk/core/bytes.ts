// Texts and bytes without Node's Buffer, which phones do not have.

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES = new Map(
  `${BASE64}-_`.split('').map((letter, index) => [letter, index < 64 ? index : index - 2]),
)

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export const bytesOf = (text: string): Uint8Array => encoder.encode(text)

/** Throws where the bytes are no text. */
export const textOf = (bytes: Uint8Array): string => decoder.decode(bytes)

export const base64Of = (bytes: Uint8Array): string => {
  let text = ''
  for (let index = 0; index < bytes.length; index += 3) {
    const [first = 0, second = 0, third = 0] = bytes.subarray(index, index + 3)
    const letters = [
      first >> 2,
      ((first & 3) << 4) | (second >> 4),
      ((second & 15) << 2) | (third >> 6),
      third & 63,
    ]
    const used = Math.min(4, bytes.length - index + 1)
    text += letters.map((letter, place) => (place < used ? BASE64[letter] : '=')).join('')
  }
  return text
}

export const base64UrlOf = (bytes: Uint8Array): string =>
  base64Of(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Reads both alphabets, padded or not; null for anything else. */
export const fromBase64 = (text: string): Uint8Array | null => {
  const letters = text.replace(/=+$/, '')
  if (letters.length % 4 === 1) return null
  const bytes = new Uint8Array(Math.floor((letters.length * 3) / 4))
  let bits = 0
  let count = 0
  let length = 0
  for (const letter of letters) {
    const value = VALUES.get(letter)
    if (value === undefined) return null
    bits = ((bits << 6) | value) & 0xffffff
    count += 6
    if (count < 8) continue
    count -= 8
    bytes[length++] = (bits >> count) & 255
  }
  return bytes
}

export const hexOf = (bytes: Uint8Array): string =>
  [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

export const joined = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
