import { commonView, isEncodingOf } from './encoding.ts'
import {
  type Fields,
  fields,
  list,
  Malformed,
  optionalFields,
  text,
  wholeNumber,
} from './presentation-shape.ts'

/** What one sub-proof has to show, by the names that proofs use. */
export type Demand = {
  readonly revealed: Map<string, string>
  /** Attributes that were requested and are not shown; the credential must have them all the same. */
  readonly hidden: Set<string>
  readonly predicates: Map<string, Predicate>
}

export type Predicate = { readonly attribute: string; readonly type: string; readonly value: number }

const TYPES: Readonly<Record<string, string>> = { '>=': 'GE', '<=': 'LE', '>': 'GT', '<': 'LT' }
const TYPE_ORDER = ['GE', 'LE', 'GT', 'LT']
const SUB_PROOFS_MAX = 32

export const predicateKey = ({ attribute, type, value }: Predicate): string =>
  JSON.stringify([attribute, type, value])

const byteOrder = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right))

/** The order in which provers sort the predicates of a sub-proof. */
export const inProverOrder = (predicates: Iterable<Predicate>): Predicate[] =>
  [...predicates].sort(
    (left, right) =>
      byteOrder(left.attribute, right.attribute) ||
      TYPE_ORDER.indexOf(left.type) - TYPE_ORDER.indexOf(right.type) ||
      left.value - right.value,
  )

/**
 * Assigns each requested attribute and predicate to the sub-proof that answers it; every referent must be answered
 * exactly once.
 */
export const demandsOf = (request: Fields, presentation: Fields): Demand[] => {
  const identifiers = list(presentation['identifiers'], 'identifiers')
  if (identifiers.length > SUB_PROOFS_MAX) throw new Malformed('there are too many sub-proofs')
  const demands: Demand[] = identifiers.map(() => ({
    revealed: new Map(),
    hidden: new Set(),
    predicates: new Map(),
  }))
  const proof = fields(presentation['requested_proof'], 'requested_proof')
  demandAttributes(optionalFields(request['requested_attributes'], 'requested_attributes'), proof, demands)
  demandPredicates(optionalFields(request['requested_predicates'], 'requested_predicates'), proof, demands)
  return demands
}

const demandAt = (demands: readonly Demand[], reference: Fields): Demand => {
  const demand = demands[wholeNumber(reference['sub_proof_index'], 'sub_proof_index')]
  if (!demand) throw new Malformed('sub_proof_index points to no sub-proof')
  return demand
}

const demandAttributes = (requested: Fields, proof: Fields, demands: readonly Demand[]): void => {
  const single = fields(proof['revealed_attrs'], 'revealed_attrs')
  const groups = optionalFields(proof['revealed_attr_groups'], 'revealed_attr_groups')
  const hidden = optionalFields(proof['unrevealed_attrs'], 'unrevealed_attrs')
  const attested = optionalFields(proof['self_attested_attrs'], 'self_attested_attrs')
  const answered = [single, groups, hidden, attested].flatMap((part) => Object.keys(part))
  sameNames(answered, Object.keys(requested), 'attributes')
  for (const [referent, entry] of Object.entries(single)) {
    const value = fields(entry, 'a revealed attribute')
    const name = text(fields(requested[referent], referent)['name'], 'the name of a revealed attribute')
    reveal(demandAt(demands, value), name, value)
  }
  for (const [referent, entry] of Object.entries(groups)) {
    const group = fields(entry, 'a revealed group')
    const values = fields(group['values'], 'the values of a group')
    const names = list(fields(requested[referent], referent)['names'], 'the names of a group').map((name) =>
      text(name, 'a name of a group'),
    )
    sameNames(Object.keys(values), names, 'attributes of a group')
    for (const name of names) reveal(demandAt(demands, group), name, fields(values[name], name))
  }
  for (const [referent, entry] of Object.entries(hidden)) {
    const demand = demandAt(demands, fields(entry, 'an unrevealed attribute'))
    for (const name of namesOf(fields(requested[referent], referent))) demand.hidden.add(commonView(name))
  }
}

const namesOf = ({ name, names }: Fields): readonly string[] =>
  names === undefined || names === null
    ? [text(name, 'the name of an attribute')]
    : list(names, 'the names of a group').map((each) => text(each, 'a name of a group'))

const reveal = (demand: Demand, name: string, value: Fields): void => {
  const encoded = text(value['encoded'], 'an encoded value')
  if (!isEncodingOf(encoded, text(value['raw'], 'a raw value'))) {
    throw new Malformed('a revealed value and its encoding differ')
  }
  const attribute = commonView(name)
  if ((demand.revealed.get(attribute) ?? encoded) !== encoded)
    throw new Malformed('an attribute has two values')
  demand.revealed.set(attribute, encoded)
}

const INT32_MIN = -(2 ** 31)
const INT32_MAX = 2 ** 31 - 1

/**
 * The library adds one for GT and subtracts one for LT, and wraps around at the ends: a predicate that no value meets,
 * every value would meet.
 */
const isSatisfiable = ({ type, value }: Predicate): boolean =>
  value >= (type === 'LT' ? INT32_MIN + 1 : INT32_MIN) && value <= (type === 'GT' ? INT32_MAX - 1 : INT32_MAX)

const demandPredicates = (requested: Fields, proof: Fields, demands: readonly Demand[]): void => {
  const answers = optionalFields(proof['predicates'], 'predicates')
  sameNames(Object.keys(answers), Object.keys(requested), 'predicates')
  for (const [referent, entry] of Object.entries(answers)) {
    const asked = fields(requested[referent], referent)
    const type = TYPES[text(asked['p_type'], 'p_type')]
    if (type === undefined) throw new Malformed('p_type is unknown')
    const predicate = {
      attribute: commonView(text(asked['name'], 'the name of a predicate')),
      type,
      value: wholeNumber(asked['p_value'], 'p_value'),
    }
    if (!isSatisfiable(predicate)) throw new Malformed('no value of 32 bits can satisfy a predicate')
    demandAt(demands, fields(entry, 'a predicate')).predicates.set(predicateKey(predicate), predicate)
  }
}

export const sameNames = (given: readonly string[], wanted: readonly string[], what: string): void => {
  const names = new Set(given)
  const same =
    names.size === given.length && names.size === wanted.length && wanted.every((name) => names.has(name))
  if (!same) throw new Malformed(`the ${what} are not those that are wanted`)
}
