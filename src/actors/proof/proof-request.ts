import { EXPIRES_AT } from '../../domain/attributes.ts'
import {
  boundsOf,
  INTEGER_MAX,
  isUpwards,
  type PredicateValue,
  type TemplatePredicate,
  type TemplateRecord,
} from '../proof-template/rules.ts'

type Restriction = { readonly cred_def_id: string }

/** The request in the form that AnonCreds gives it. */
export type ProofRequest = {
  readonly name: string
  readonly version: '1.0'
  readonly nonce: string
  readonly requested_attributes: Readonly<
    Record<string, { readonly names: readonly string[]; readonly restrictions: readonly Restriction[] }>
  >
  readonly requested_predicates: Readonly<
    Record<
      string,
      {
        readonly name: string
        readonly p_type: string
        readonly p_value: number
        readonly restrictions: readonly Restriction[]
      }
    >
  >
}

/**
 * What a wallet is asked, relative dates resolved. Every group gets `expiresAt > now`: a credential that has expired
 * answers nothing. Referents of predicates are `group.number`, those that the service adds the last of them.
 */
export const proofRequestOf = (
  template: Pick<TemplateRecord, 'name' | 'groups' | 'predicates'>,
  /** Ledger ids of the definitions that the organisation itself issues. */
  ownDefinitions: ReadonlySet<string>,
  nonce: string,
  nowMs: number,
): ProofRequest => {
  const attributes: Record<string, ProofRequest['requested_attributes'][string]> = {}
  const predicates: Record<string, ProofRequest['requested_predicates'][string]> = {}
  for (const { name: group, credentialDefinitionIds, attributes: names } of template.groups) {
    const restrictions = credentialDefinitionIds.map((id) => ({ cred_def_id: id }))
    if (names.length > 0) attributes[group] = { names, restrictions }
    const own = template.predicates.filter((predicate) => predicate.group === group)
    const fresh = { attribute: EXPIRES_AT, operator: '>', value: { secondsFromNow: 0 } } as const
    const asked = [fresh, ...own].map(({ attribute, operator, value }) => ({
      name: attribute,
      p_type: operator,
      p_value: resolved(value, operator, nowMs),
    }))
    // No offer of ours has an expiry that is no number.
    const isExpiryNumber = credentialDefinitionIds.every((id) => ownDefinitions.has(id))
    const bounds = upperBounds(asked).filter(({ name }) => name !== EXPIRES_AT || !isExpiryNumber)
    for (const [index, each] of [...asked, ...bounds].entries())
      predicates[`${group}.${index}`] = { ...each, restrictions }
  }
  const { name } = template
  return { name, version: '1.0', nonce, requested_attributes: attributes, requested_predicates: predicates }
}

type Comparison = {
  readonly name: string
  readonly p_type: TemplatePredicate['operator']
  readonly p_value: number
}

/**
 * A text is signed as a number of 256 bits, which is greater than all that it can be compared with. So what is compared
 * upwards has to be at most what 32 bits hold as well, unless the template bounds it. Below zero the bound is lower,
 * because wallets work out in 32 bits how far a value is from each number that it is compared with.
 */
const upperBounds = (asked: readonly Comparison[]): readonly Comparison[] => {
  const bounds = new Map<string, number>()
  for (const { name, p_type, p_value } of asked)
    if (isUpwards(p_type))
      bounds.set(name, Math.min(bounds.get(name) ?? INTEGER_MAX, INTEGER_MAX + Math.min(0, p_value)))
  for (const { name, p_type } of asked) if (!isUpwards(p_type)) bounds.delete(name)
  return [...bounds].map(([name, p_value]) => ({ name, p_type: '<=', p_value }))
}

const resolved = (value: PredicateValue, operator: TemplatePredicate['operator'], nowMs: number): number => {
  if (typeof value === 'number') return value
  if ('secondsFromNow' in value) {
    const { min, max } = boundsOf(operator)
    return Math.max(min, Math.min(Math.floor(nowMs / 1_000) + value.secondsFromNow, max))
  }
  const now = new Date(nowMs)
  // Who was born on 29 February is a year older on 1 March; as a number, 0229 compares just so.
  return (now.getUTCFullYear() - value.yearsAgo) * 10_000 + (now.getUTCMonth() + 1) * 100 + now.getUTCDate()
}
