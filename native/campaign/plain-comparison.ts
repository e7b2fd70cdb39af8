import { fourSquares } from './four-squares.ts'
import { bytes, inverse, power, random } from './plain-numbers.ts'

export type Comparison = {
  readonly name: string
  readonly p_type: '>=' | '>' | '<=' | '<'
  readonly p_value: number
}

type Key = { readonly n: bigint; readonly s: bigint; readonly z: bigint }
/** What is signed of the attribute, and what hides it in the proof of the credential. */
type Hidden = { readonly value: bigint; readonly mask: bigint }

const TYPES = { '>=': 'GE', '>': 'GT', '<=': 'LE', '<': 'LT' } as const
const TYPE_ORDER = ['GE', 'LE', 'GT', 'LT']
/** Enough to be sound and too short to hide anything: nothing here is secret, and long powers take their time. */
const BITS = 64

/** How far the value is on the right side; below zero where the comparison does not hold. */
const distance = ({ p_type, p_value }: Comparison, value: bigint): bigint => {
  const difference = p_type.startsWith('>') ? value - BigInt(p_value) : BigInt(p_value) - value
  return p_type.endsWith('=') ? difference : difference - 1n
}

/**
 * Begins the library's proof of a comparison, of a value of any size: the library's prover proves nothing of numbers
 * that 32 bits do not hold, and of none does this one ask. Where the comparison does not hold it commits to `pretended`
 * as the distance instead, and to squares that add up to something else, because none add up to the distance.
 */
export const beginComparison = (
  { n, s, z }: Key,
  asked: Comparison,
  { value, mask }: Hidden,
  pretended?: bigint,
) => {
  const away = pretended ?? distance(asked, value)
  const squares = fourSquares(away < 0n ? -away : away) ?? [0n, 0n, 0n, 0n]
  const randomizers = squares.map(() => random(BITS))
  const ofDistance = random(BITS)
  const raised = (base: bigint, exponent: bigint): bigint =>
    exponent < 0n ? inverse(power(base, -exponent, n), n) : power(base, exponent, n)
  const committed = (number: bigint, randomizer: bigint): bigint =>
    (raised(z, number) * power(s, randomizer, n)) % n
  const shown = squares.map((root, index) => committed(root, randomizers[index] ?? 0n))
  const commitments = [...shown, committed(away, ofDistance)]

  const squareMasks = squares.map(() => random(BITS))
  const randomizerMasks = commitments.map(() => random(BITS))
  const alphaMask = random(BITS)
  const distanceMask = randomizerMasks[4] ?? 0n
  const isUpwards = asked.p_type.startsWith('>')
  const tau = [
    ...squareMasks.map((hiding, index) => committed(hiding, randomizerMasks[index] ?? 0n)),
    (raised(z, mask) * raised(s, isUpwards ? distanceMask : -distanceMask)) % n,
    shown.reduce(
      (product, each, index) => (product * power(each, squareMasks[index] ?? 0n, n)) % n,
      power(s, alphaMask, n),
    ),
  ]
  const finish = (challenge: bigint) => ({
    u: named(squares.map((root, index) => challenge * root + (squareMasks[index] ?? 0n))),
    r: named(
      [...randomizers, ofDistance].map((each, index) => challenge * each + (randomizerMasks[index] ?? 0n)),
    ),
    mj: String(mask + challenge * value),
    alpha: String(
      alphaMask +
        challenge *
          squares.reduce((rest, root, index) => rest - root * (randomizers[index] ?? 0n), ofDistance),
    ),
    t: named(commitments),
    predicate: { attr_name: asked.name, p_type: TYPES[asked.p_type], value: asked.p_value },
  })
  return { tau, commitments: commitments.map(bytes), finish }
}

const named = (numbers: readonly bigint[]): Readonly<Record<string, string>> =>
  Object.fromEntries(numbers.map((each, index) => [index < 4 ? String(index) : 'DELTA', String(each)]))

/** As provers sort the comparisons of one attribute. */
export const inOrder = (comparisons: readonly Comparison[]): readonly Comparison[] => {
  const place = ({ p_type }: Comparison): number => TYPE_ORDER.indexOf(TYPES[p_type])
  return comparisons.toSorted(
    (one, other) =>
      Buffer.compare(Buffer.from(one.name), Buffer.from(other.name)) ||
      place(one) - place(other) ||
      one.p_value - other.p_value,
  )
}
