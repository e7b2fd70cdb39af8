import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

export type TemplateGroup = {
  readonly name: string
  /** Ledger ids: any of these may answer. */
  readonly credentialDefinitionIds: readonly string[]
  readonly attributes: readonly string[]
}

/** Relative dates are resolved when a proof is requested: `yearsAgo` to YYYYMMDD, `secondsFromNow` to Unix seconds. */
export type PredicateValue = number | { readonly yearsAgo: number } | { readonly secondsFromNow: number }

export type TemplatePredicate = {
  readonly group: string
  readonly attribute: string
  readonly operator: '>=' | '>' | '<=' | '<'
  readonly value: PredicateValue
}

type Content = {
  readonly tenant: string
  readonly name: string
  readonly description: string | null
  readonly groups: readonly TemplateGroup[]
  readonly predicates: readonly TemplatePredicate[]
  /** Whether the holder passes a face check before a result is shown; left out of templates from before there was one. */
  readonly biometricRequired?: boolean
}

export type TemplateChanges = Partial<Omit<Content, 'tenant'>>

export type TemplateRecord = Content & {
  readonly status: 'active' | 'archived'
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type At = { readonly atMs: number }

export type TemplateCommand =
  | ({ readonly type: 'CreateProofTemplate' } & At & Content)
  /** What is not named stays as it is. */
  | ({
      readonly type: 'EditProofTemplate'
      readonly tenant: string
      readonly changes: TemplateChanges
    } & At)
  | ({ readonly type: 'ArchiveProofTemplate'; readonly tenant: string } & At)

export type TemplateEvent =
  | ({ readonly type: 'ProofTemplateCreated' } & At & Content)
  | ({ readonly type: 'ProofTemplateEdited' } & At & Content)
  | ({ readonly type: 'ProofTemplateArchived' } & At)

export type TemplateTypes = RecordTypes<TemplateRecord, TemplateCommand, TemplateEvent>

export const proofTemplate = referencesTo<TemplateTypes>('tpl')
export const noSuchTemplate = refuse('proof_template_not_found', 'There is no proof template with this id.')

export const templateDecider: Decider<TemplateTypes> = recordDecider({
  unknown: noSuchTemplate,
  first: ['CreateProofTemplate', 'ProofTemplateCreated'],
  create: (command) => refusalOf(command) ?? { ...command, type: 'ProofTemplateCreated' },
  created: (content, atMs) => ({ ...content, status: 'active', createdAtMs: atMs, updatedAtMs: atMs }),
  decide: (template, command) => {
    const { status, tenant, name, description, groups, predicates, biometricRequired = false } = template
    if (command.tenant !== tenant) return noSuchTemplate
    const { atMs } = command
    if (command.type === 'ArchiveProofTemplate')
      return status === 'archived' ? NOTHING_HAPPENS : [{ type: 'ProofTemplateArchived', atMs }]
    if (status === 'archived')
      return refuse('invalid_request', 'The template is archived; create another one.')
    const content = { tenant, name, description, groups, predicates, biometricRequired, ...command.changes }
    return refusalOf(content) ?? [{ type: 'ProofTemplateEdited', atMs, ...content }]
  },
  evolve: (template, event) => {
    if (template.status !== 'active') throw impossibleEvent(event, template.status)
    const { type, atMs, ...content } = event
    const at = { ...template, ...content, updatedAtMs: atMs }
    return type === 'ProofTemplateArchived' ? { ...at, status: 'archived' } : at
  },
})

const GROUPS_MAX = 16
const PREDICATES_MAX = 32
/** Of one proof; each is 13 KB of a presentation, 24 KB in its envelope, and a wallet's message has 2 MiB. */
const COMPARISONS_MAX = 64
const INTEGER_MIN = -(2 ** 31)
export const INTEGER_MAX = 2 ** 31 - 1
const YEARS_MAX = 200

/** What is wrong with a template, as a sentence that names the field; null when nothing is. */
export const templateProblem = ({ name, groups, predicates }: Omit<Content, 'tenant'>): string | null => {
  if (name.trim() === '' || Array.from(name).length > 200) return 'name must have 1 to 200 characters.'
  if (groups.length === 0 || groups.length > GROUPS_MAX) return `groups must have 1 to ${GROUPS_MAX} entries.`
  if (new Set(groups.map((group) => group.name)).size !== groups.length)
    return 'groups must not have a name twice.'
  for (const group of groups) {
    const problem = groupProblem(group)
    if (problem !== null) return problem
  }
  if (predicates.length > PREDICATES_MAX) return `predicates must have at most ${PREDICATES_MAX} entries.`
  const known = new Set(groups.map((group) => group.name))
  for (const { group, attribute, operator, value } of predicates) {
    if (!known.has(group))
      return `predicates names the group ${JSON.stringify(group.slice(0, 100))}, which groups does not have.`
    if (attribute === '') return 'predicates must name an attribute.'
    if (!isFitting(value))
      return 'predicates must have values of 32 bits, or relative dates within 200 years.'
    if (typeof value === 'number' && !isBetween(value, boundsOf(operator)))
      return `predicates must not have ${operator} ${value}: no number of 32 bits meets it.`
  }
  if (comparisonsOf({ groups, predicates }) > COMPARISONS_MAX)
    return `predicates must be fewer: with the expiry of each group and the bounds of numbers a proof has more than ${COMPARISONS_MAX} comparisons.`
  return null
}

/** The most that a proof request can come to: expiries and all that is compared upwards are bounded too. */
const comparisonsOf = ({ groups, predicates }: Pick<Content, 'groups' | 'predicates'>): number => {
  const upwards = predicates.filter(({ operator }) => isUpwards(operator))
  const bounded = new Set(upwards.map(({ group, attribute }) => JSON.stringify([group, attribute])))
  return 2 * groups.length + predicates.length + bounded.size
}

/** What holds of every number that is large enough. */
export const isUpwards = (operator: TemplatePredicate['operator']): boolean =>
  operator === '>' || operator === '>='

const refusalOf = (content: Content): Refused | null => {
  const problem = templateProblem(content)
  return problem === null ? null : refuse('invalid_request', problem)
}

const groupProblem = ({ name, credentialDefinitionIds, attributes }: TemplateGroup): string | null => {
  // Referents of predicates are made of the group's name and a point.
  if (!/^[A-Za-z0-9_-]{1,100}$/.test(name))
    return 'groups must have names of 1 to 100 letters, digits, hyphens and underscores.'
  if (credentialDefinitionIds.length === 0) return `groups: ${name} needs at least one credential definition.`
  if (attributes.length > limits.attributesMax) return `groups: ${name} has too many attributes.`
  if (attributes.includes('') || new Set(attributes).size !== attributes.length)
    return `groups: ${name} has an attribute twice or one without a name.`
  return null
}

type Bounds = { readonly min: number; readonly max: number }

/** What a predicate can compare with: wallets count `>` and `<` from the next number, which 32 bits must hold too. */
export const boundsOf = (operator: TemplatePredicate['operator']): Bounds => ({
  min: operator === '<' ? INTEGER_MIN + 1 : INTEGER_MIN,
  max: operator === '>' ? INTEGER_MAX - 1 : INTEGER_MAX,
})

const isBetween = (number: number, { min, max }: Bounds): boolean => number >= min && number <= max

const isFitting = (value: PredicateValue): boolean => {
  const within = (number: number, max: number): boolean => Number.isInteger(number) && Math.abs(number) <= max
  if (typeof value === 'number') return within(value, INTEGER_MAX)
  if ('yearsAgo' in value) return within(value.yearsAgo, YEARS_MAX)
  return within(value.secondsFromNow, INTEGER_MAX)
}
