import { EXPIRES_AT } from '../../domain/attributes.ts'
import {
  boundsOf,
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
 * answers nothing. Referents of predicates are `group.number`.
 */
export const proofRequestOf = (
  template: Pick<TemplateRecord, 'name' | 'groups' | 'predicates'>,
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
    for (const [index, { attribute, operator, value }] of [fresh, ...own].entries()) {
      const p_value = resolved(value, operator, nowMs)
      predicates[`${group}.${index}`] = { name: attribute, p_type: operator, p_value, restrictions }
    }
  }
  const { name } = template
  return { name, version: '1.0', nonce, requested_attributes: attributes, requested_predicates: predicates }
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
