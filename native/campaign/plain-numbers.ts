import { randomBytes } from 'node:crypto'

export const power = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  let [result, square] = [1n, base % modulus]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

export const inverse = (number: bigint, modulus: bigint): bigint => {
  let [above, below, first, second] = [modulus, ((number % modulus) + modulus) % modulus, 0n, 1n]
  while (below > 0n) {
    const times = above / below
    ;[above, below, first, second] = [below, above - times * below, second, first - times * second]
  }
  return ((first % modulus) + modulus) % modulus
}

export const random = (bits: number): bigint => BigInt(`0x${randomBytes(bits / 8).toString('hex')}`)

export const bytes = (number: bigint): Buffer => {
  const hex = number.toString(16)
  return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')
}
