import {
  bytesOf,
  type Fields,
  fields,
  integer,
  isBelow,
  list,
  Malformed,
  optionalFields,
  powerOfTwo,
  text,
  wholeNumber,
} from './presentation-shape.ts'
import { type Demand, demandsOf, inProverOrder, predicateKey, sameNames } from './requested.ts'

const LINK_SECRET = 'master_secret'
const SQUARES = ['0', '1', '2', '3']
const COMMITMENTS = [...SQUARES, 'DELTA']

/** Bounds of the integers that honest provers send. */
const BELOW = {
  challenge: powerOfTwo(256),
  e: powerOfTwo(457),
  m: powerOfTwo(594),
  m2: powerOfTwo(2_434),
  v: powerOfTwo(3_062),
  u: powerOfTwo(594),
  r: powerOfTwo(2_386),
  alpha: powerOfTwo(2_790),
}

export type StrictInput = {
  readonly presentation: unknown
  readonly request: unknown
  readonly definitions: Fields
}

/**
 * Every check of a presentation before an engine does arithmetic on it, whichever engine that is. Returns why it is
 * refused, or null. Honest presentations of all known wallets pass.
 */
export const strictRefusal = (input: StrictInput): string | null => {
  try {
    check(input)
    return null
  } catch (error) {
    if (error instanceof Malformed) return error.message
    throw error
  }
}

const check = (input: StrictInput): void => {
  const presentation = fields(input.presentation, 'the presentation')
  const proof = fields(presentation['proof'], 'proof')
  const subProofs = list(proof['proofs'], 'proofs')
  const identifiers = list(presentation['identifiers'], 'identifiers')
  const request = fields(input.request, 'the request')
  if (integer(request['nonce'], 'nonce').startsWith('-')) throw new Malformed('the nonce is negative')
  const demands = demandsOf(request, presentation)
  if (subProofs.length !== demands.length) throw new Malformed('the number of sub-proofs is wrong')
  const commitments: Uint8Array[] = []
  const linkSecrets = new Set<string>()
  for (const [index, demand] of demands.entries()) {
    const subProof = fields(subProofs[index], 'a sub-proof')
    const key = keyOf(fields(identifiers[index], 'an identifier'), input.definitions)
    if (isGiven(subProof['non_revoc_proof'])) throw new Malformed('a proof of non-revocation')
    const modulus = integer(key['n'], 'n')
    // The library would take it for positive, and no range would hold below it.
    if (modulus.startsWith('-')) throw new Malformed('the modulus is negative')
    const bases = fields(key['r'], 'r')
    checkNames(demand, bases)
    const primary = fields(subProof['primary_proof'], 'primary_proof')
    const equality = fields(primary['eq_proof'], 'eq_proof')
    const hidden = checkEquality(equality, demand, { modulus, bases })
    commitments.push(bytesOf(integer(equality['a_prime'], 'a_prime')))
    commitments.push(...checkPredicates(list(primary['ge_proofs'], 'ge_proofs'), demand, hidden, modulus))
    linkSecrets.add(hidden.get(LINK_SECRET) ?? '')
  }
  if (linkSecrets.size !== 1 || linkSecrets.has('')) throw new Malformed('the link secrets are not one')
  checkAggregate(fields(proof['aggregated_proof'], 'aggregated_proof'), commitments)
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/**
 * Credentials cannot be revoked here, and fields about revocation would only lead to code that honest presentations
 * never reach.
 */
const keyOf = (identifier: Fields, definitions: Fields): Fields => {
  const id = text(identifier['cred_def_id'], 'cred_def_id')
  if (!Object.hasOwn(definitions, id)) throw new Malformed('the definition is not known')
  if (isGiven(identifier['rev_reg_id']) || isGiven(identifier['timestamp']))
    throw new Malformed('an identifier speaks of revocation')
  const definition = fields(definitions[id], 'a definition')
  if (identifier['schema_id'] !== text(definition['schemaId'], 'schemaId'))
    throw new Malformed('the schema is not that of the definition')
  const value = fields(definition['value'], 'the value of a definition')
  return fields(value['primary'], 'the key of a definition')
}

/** The library would let a proof claim "there and not shown" for an attribute that the credential does not have. */
const checkNames = ({ hidden, revealed }: Demand, bases: Fields): void => {
  for (const name of [...hidden, ...revealed.keys()]) {
    if (name === LINK_SECRET || !Object.hasOwn(bases, name))
      throw new Malformed('the credential has no such attribute')
  }
}

type Key = { readonly modulus: string; readonly bases: Fields }

/**
 * Checks the ranges, and that exactly the requested attributes are revealed and all others of the credential are
 * hidden.
 */
const checkEquality = (equality: Fields, demand: Demand, { modulus, bases }: Key): Map<string, string> => {
  // An outdated field that would replace the link secret's value after these checks.
  if (equality['m1'] !== undefined) throw new Malformed('the sub-proof uses an outdated form')
  const revealed = fields(equality['revealed_attrs'], 'revealed_attrs')
  sameNames(Object.keys(revealed), [...demand.revealed.keys()], 'revealed attributes')
  for (const [name, encoded] of demand.revealed) {
    if (integer(revealed[name], name) !== encoded)
      throw new Malformed('a revealed value is not the proven one')
  }
  within(equality, 'e', BELOW.e)
  within(equality, 'v', BELOW.v)
  within(equality, 'm2', BELOW.m2)
  unit(equality['a_prime'], modulus)
  const hidden = new Map<string, string>()
  const values = fields(equality['m'], 'm')
  const unrevealed = Object.keys(bases).filter((name) => name === LINK_SECRET || !demand.revealed.has(name))
  sameNames(Object.keys(values), unrevealed, 'hidden attributes')
  for (const name of unrevealed) hidden.set(name, within(values, name, BELOW.m))
  return hidden
}

/**
 * Checks that the predicates are the requested ones, in the prover's order, each about the value that the sub-proof
 * hides.
 */
const checkPredicates = (
  proofs: readonly unknown[],
  demand: Demand,
  hidden: ReadonlyMap<string, string>,
  modulus: string,
): Uint8Array[] => {
  const wanted = inProverOrder(demand.predicates.values())
  if (proofs.length !== wanted.length) throw new Malformed('the predicates are not the requested ones')
  return wanted.flatMap((predicate, index) => {
    const proof = fields(proofs[index], 'a predicate proof')
    const shown = fields(proof['predicate'], 'predicate')
    const found = {
      attribute: text(shown['attr_name'], 'attr_name'),
      type: text(shown['p_type'], 'p_type'),
      value: wholeNumber(shown['value'], 'value'),
    }
    if (predicateKey(found) !== predicateKey(predicate))
      throw new Malformed('a predicate is not the requested one')
    if (integer(proof['mj'], 'mj') !== hidden.get(predicate.attribute)) {
      throw new Malformed('a predicate is not about the attribute of the credential')
    }
    return checkPredicateSizes(proof, modulus)
  })
}

const checkPredicateSizes = (proof: Fields, modulus: string): Uint8Array[] => {
  const [u, r, t] = [fields(proof['u'], 'u'), fields(proof['r'], 'r'), fields(proof['t'], 't')]
  sameNames(Object.keys(u), SQUARES, 'members of u')
  sameNames(Object.keys(r), COMMITMENTS, 'members of r')
  sameNames(Object.keys(t), COMMITMENTS, 'members of t')
  for (const name of SQUARES) within(u, name, BELOW.u)
  for (const name of COMMITMENTS) within(r, name, BELOW.r)
  const alpha = integer(proof['alpha'], 'alpha')
  if (!isBelow(alpha.replace('-', ''), BELOW.alpha)) throw new Malformed('alpha is out of range')
  return COMMITMENTS.map((name) => bytesOf(unit(t[name], modulus)))
}

/** Checks the list that the challenge is made from: the commitments of the sub-proofs and nothing else, in order. */
const checkAggregate = (aggregate: Fields, commitments: readonly Uint8Array[]): void => {
  within(aggregate, 'c_hash', BELOW.challenge)
  const shown = list(aggregate['c_list'], 'c_list')
  if (shown.length !== commitments.length) throw new Malformed('the number of commitments is wrong')
  for (const [index, commitment] of commitments.entries()) {
    const bytes = list(shown[index], 'a commitment')
    if (bytes.length !== commitment.length || bytes.some((byte, place) => byte !== commitment[place])) {
      throw new Malformed('a commitment is not that of its sub-proof')
    }
  }
}

const within = (holder: Fields, name: string, bound: string): string => {
  const value = integer(holder[name], name)
  if (!isBelow(value, bound)) throw new Malformed(`${name} is out of range`)
  return value
}

const unit = (value: unknown, modulus: string): string => {
  const digits = integer(value, 'a group element')
  if (digits === '0' || !isBelow(digits, modulus)) throw new Malformed('a group element is out of range')
  return digits
}

/** The definitions of callers that hold them as texts. */
export const parsedDefinitions = (texts: Readonly<Record<string, string>>): Fields =>
  optionalFields(
    Object.fromEntries(
      Object.entries(texts).map(([id, definition]) => [id, JSON.parse(definition) as unknown]),
    ),
    'definitions',
  )
