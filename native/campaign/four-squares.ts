import { power, random } from './plain-numbers.ts'

type Squares = readonly [bigint, bigint, bigint, bigint]

const SMALL = 400n
const BASES = [2n, 3n, 5n, 7n]

/** Four numbers whose squares add up to this one, however large it is; null below zero, where there are none. */
export const fourSquares = (number: bigint): Squares | null => {
  if (number < 0n) return null
  if (number < SMALL) return searched(number)
  if (number % 4n === 0n) {
    const [a, b, c, d] = fourSquares(number / 4n) ?? [0n, 0n, 0n, 0n]
    return [2n * a, 2n * b, 2n * c, 2n * d]
  }
  // What is left after two squares of these parities is 1 modulo 4; as a prime it is the sum of two more.
  const [isFirstOdd, isSecondOdd] = [number % 4n >= 2n, number % 4n === 3n]
  for (;;) {
    const first = drawn(number, isFirstOdd)
    const second = drawn(number - first * first, isSecondOdd)
    const two = twoSquares(number - first * first - second * second)
    if (two !== null) return [first, second, ...two]
  }
}

const searched = (number: bigint): Squares => {
  for (let a = 0n; ; a++)
    for (let b = 0n; b <= a; b++)
      for (let c = 0n; c <= b; c++)
        for (let d = 0n; d <= c; d++) if (a * a + b * b + c * c + d * d === number) return [a, b, c, d]
}

/** At most the root, of that parity. */
const drawn = (number: bigint, isOdd: boolean): bigint => {
  const found = random(320) % (rootOf(number) + 1n)
  if ((found % 2n === 1n) === isOdd) return found
  return found === 0n ? 1n : found - 1n
}

const rootOf = (number: bigint): bigint => {
  let root = 1n << BigInt((number.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + number / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Null where the number is no prime (or was not found to be one). */
const twoSquares = (prime: bigint): readonly [bigint, bigint] | null => {
  if (prime < 5n || prime % 4n !== 1n) return null
  for (const base of BASES) {
    let [above, below] = [prime, power(base, (prime - 1n) / 4n, prime)]
    const square = (below * below) % prime
    if (square === 1n) continue
    if (square !== prime - 1n) return null
    while (below * below > prime) [above, below] = [below, above % below]
    const other = above % below
    if (below * below + other * other === prime) return [below, other]
  }
  return null
}
