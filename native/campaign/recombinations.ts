import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { type Altered, inputWith, isChanged, partsOf } from './alterations.ts'
import type { Random } from '../../tools/simulate/random.ts'

type SubProof = {
  primary_proof: { eq_proof: { m: Record<string, string> }; ge_proofs: unknown[] }
}

type Presented = {
  proof: { proofs: SubProof[]; aggregated_proof: { c_hash: unknown; c_list: unknown } }
  requested_proof: Record<string, Record<string, { sub_proof_index?: number }>>
  identifiers: unknown[]
}

/** Two presentations of the same credentials, each honest for its own request. */
export type Pair = { readonly honest: PresentationInput; readonly other: PresentationInput }

/** Places of two different sub-proofs, in any order. */
type Places = readonly [number, number]

type Recombination = (own: Presented, other: Presented, places: Places) => void

const exchange = (items: unknown[], [left, right]: Places): void => {
  ;[items[left], items[right]] = [items[right], items[left]]
}

const at = (presented: Presented, place: number): SubProof => {
  const proof = presented.proof.proofs[place]
  if (proof === undefined) throw new Error('there is no such sub-proof')
  return proof
}

/** Lets every answer point to the sub-proof that `moved` says. */
const point = (presented: Presented, moved: (index: number) => number): void => {
  for (const part of Object.values(presented.requested_proof)) {
    for (const answer of Object.values(part)) {
      if (typeof answer.sub_proof_index === 'number') answer.sub_proof_index = moved(answer.sub_proof_index)
    }
  }
}

const turned =
  ([left, right]: Places) =>
  (index: number): number =>
    index === left ? right : index === right ? left : index

/** Recombinations that need another honest presentation of the same credentials. */
const FROM_ANOTHER: Readonly<Record<string, Recombination>> = {
  'a sub-proof of another presentation': (own, other, [place]) => {
    own.proof.proofs[place] = at(other, place)
  },
  'all sub-proofs of another presentation': (own, other) => {
    own.proof.proofs = other.proof.proofs
  },
  'aggregated proof of another presentation': (own, other) => {
    own.proof.aggregated_proof = other.proof.aggregated_proof
  },
  'challenge of another presentation': (own, other) => {
    own.proof.aggregated_proof.c_hash = other.proof.aggregated_proof.c_hash
  },
  'commitments of another presentation': (own, other) => {
    own.proof.aggregated_proof.c_list = other.proof.aggregated_proof.c_list
  },
  'the whole proof of another presentation': (own, other) => {
    own.proof = other.proof
  },
  'what another presentation discloses': (own, other) => {
    own.requested_proof = other.requested_proof
  },
  'equality proof of another presentation': (own, other, [place]) => {
    at(own, place).primary_proof.eq_proof = at(other, place).primary_proof.eq_proof
  },
  'predicate proofs of another presentation': (own, other, [place]) => {
    at(own, place).primary_proof.ge_proofs = at(other, place).primary_proof.ge_proofs
  },
  'response for the link secret changed in one sub-proof': (own, _other, [place]) => {
    const { m } = at(own, place).primary_proof.eq_proof
    m['master_secret'] = String(BigInt(m['master_secret'] ?? '0') + 1n)
  },
}

/** Recombinations of presentations with several credentials. */
const AMONG_SEVERAL: Readonly<Record<string, Recombination>> = {
  'sub-proofs exchanged': (own, _other, places) => exchange(own.proof.proofs, places),
  'identifiers exchanged': (own, _other, places) => exchange(own.identifiers, places),
  'sub-proofs and identifiers exchanged': (own, _other, places) => {
    exchange(own.proof.proofs, places)
    exchange(own.identifiers, places)
  },
  'credentials in another order': (own, _other, places) => {
    exchange(own.proof.proofs, places)
    exchange(own.identifiers, places)
    point(own, turned(places))
  },
  'answers point to each other’s sub-proofs': (own, _other, places) => point(own, turned(places)),
  'a sub-proof in place of another': (own, _other, [place, from]) => {
    own.proof.proofs[place] = at(own, from)
  },
  'a sub-proof and its identifier in place of another': (own, _other, [place, from]) => {
    own.proof.proofs[place] = at(own, from)
    own.identifiers[place] = own.identifiers[from]
  },
  'a sub-proof added again': (own, _other, [place]) => {
    own.proof.proofs.push(at(own, place))
    own.identifiers.push(own.identifiers[place])
  },
  'a sub-proof left out': (own, _other, [place]) => {
    own.proof.proofs.splice(place, 1)
  },
  'a sub-proof and its identifier left out': (own, _other, [place]) => {
    own.proof.proofs.splice(place, 1)
    own.identifiers.splice(place, 1)
    point(own, (index) => (index > place ? index - 1 : index))
  },
  'equality proofs exchanged': (own, _other, [left, right]) => {
    const [first, second] = [at(own, left).primary_proof, at(own, right).primary_proof]
    ;[first.eq_proof, second.eq_proof] = [second.eq_proof, first.eq_proof]
  },
  'predicate proofs exchanged': (own, _other, [left, right]) => {
    const [first, second] = [at(own, left).primary_proof, at(own, right).primary_proof]
    ;[first.ge_proofs, second.ge_proofs] = [second.ge_proofs, first.ge_proofs]
  },
}

/** Parts of honest presentations put together differently; null where nothing changed. */
export const recombine = (chance: Random, { honest, other }: Pair): Altered | null => {
  const [parts, others] = [partsOf(honest), partsOf(other)]
  const presented = parts.presentation as Presented
  const count = presented.proof.proofs.length
  const kinds = { ...FROM_ANOTHER, ...(count > 1 ? AMONG_SEVERAL : {}) }
  const kind = chance.pick([
    ...Object.keys(kinds),
    'request of another presentation',
    'definitions exchanged',
  ])
  const place = chance.integer(0, count - 1)
  const places: Places = [place, (place + chance.integer(1, Math.max(1, count - 1))) % count]
  if (kind === 'request of another presentation') parts.request = others.request
  else if (kind === 'definitions exchanged') exchangeDefinitions(parts.definitions)
  else kinds[kind]?.(presented, others.presentation as Presented, places)
  const input = inputWith(honest, parts)
  return isChanged(honest, input) ? { input, kind } : null
}

const exchangeDefinitions = (definitions: Record<string, unknown>): void => {
  const ids = Object.keys(definitions)
  const values = ids.map((id) => definitions[id])
  for (const [index, id] of ids.entries()) definitions[id] = values[(index + 1) % ids.length]
}
