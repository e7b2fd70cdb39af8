import type { CreateProofTemplateBody } from '../api/generated/operations.ts'

/** What a comparison is held against, as a person says it. */
export const VALUE_FORMS = ['number', 'yearsAgo', 'secondsFromNow'] as const
export type ValueForm = (typeof VALUE_FORMS)[number]
export const OPERATORS = ['>=', '>', '<=', '<'] as const
export type Operator = (typeof OPERATORS)[number]

export type DraftPredicate = {
  readonly attribute: string
  readonly operator: Operator
  readonly form: ValueForm
  readonly value: string
}

export type DraftGroup = {
  readonly name: string
  readonly definitionIds: readonly string[]
  readonly attributes: readonly string[]
  readonly predicates: readonly DraftPredicate[]
}

export type TemplateDraft = {
  readonly name: string
  readonly description: string
  readonly groups: readonly DraftGroup[]
  readonly biometricRequired: boolean
}

export const EMPTY_PREDICATE: DraftPredicate = { attribute: '', operator: '>=', form: 'number', value: '' }
export const emptyGroup = (number: number): DraftGroup => ({
  name: `credential-${number}`,
  definitionIds: [],
  attributes: [],
  predicates: [],
})
export const EMPTY_TEMPLATE: TemplateDraft = {
  name: '',
  description: '',
  groups: [emptyGroup(1)],
  biometricRequired: false,
}

/**
 * Other credentials may answer a group from now on: what none of them could answer is asked no more, because it is not
 * there to be taken out. While no credential is chosen all of it stays.
 */
export const withDefinitions = (
  group: DraftGroup,
  definitionIds: readonly string[],
  known: readonly string[],
): DraftGroup =>
  known.length === 0
    ? { ...group, definitionIds }
    : {
        ...group,
        definitionIds,
        attributes: group.attributes.filter((name) => known.includes(name)),
        predicates: group.predicates.filter(({ attribute }) => known.includes(attribute)),
      }

type Predicate = NonNullable<CreateProofTemplateBody['predicates']>[number]
type Body = Omit<CreateProofTemplateBody, 'predicates'> & { readonly predicates: readonly Predicate[] }

/** What is sent: comparisons stand beside the groups there, and inside them for people. */
export const templateBody = ({ name, description, groups, biometricRequired }: TemplateDraft): Body => ({
  name: name.trim(),
  description: description.trim() === '' ? null : description.trim(),
  groups: groups.map((group) => ({
    name: group.name.trim(),
    credentialDefinitionIds: group.definitionIds,
    attributes: group.attributes,
  })),
  predicates: groups.flatMap((group) =>
    group.predicates.map(
      ({ attribute, operator, form, value }): Predicate => ({
        group: group.name.trim(),
        attribute,
        operator,
        value: valueOf(form, Number(value)),
      }),
    ),
  ),
  biometricRequired,
})

const valueOf = (form: ValueForm, value: number): Predicate['value'] => {
  if (form === 'yearsAgo') return { yearsAgo: value }
  return form === 'secondsFromNow' ? { secondsFromNow: value } : value
}

/** A template that is there, to be changed. */
export const draftOf = (
  template: Omit<Body, 'biometricRequired'> & { readonly biometricRequired: boolean },
): TemplateDraft => ({
  name: template.name,
  description: template.description ?? '',
  biometricRequired: template.biometricRequired,
  groups: template.groups.map((group) => ({
    name: group.name,
    definitionIds: group.credentialDefinitionIds,
    attributes: group.attributes,
    predicates: template.predicates
      .filter((each) => each.group === group.name)
      .map(({ attribute, operator, value }) => ({ attribute, operator, ...formOf(value) })),
  })),
})

const formOf = (value: Predicate['value']): Pick<DraftPredicate, 'form' | 'value'> => {
  if (typeof value === 'number') return { form: 'number', value: String(value) }
  return 'yearsAgo' in value
    ? { form: 'yearsAgo', value: String(value.yearsAgo) }
    : { form: 'secondsFromNow', value: String(value.secondsFromNow) }
}
