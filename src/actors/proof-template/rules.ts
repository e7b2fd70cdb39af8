import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

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
}

export type TemplateChanges = Partial<Omit<Content, 'tenant'>>

export type TemplateRecord = Content & {
  readonly status: 'active' | 'archived'
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
export type TemplateState = { readonly status: 'none' } | TemplateRecord

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
  | ({ readonly type: 'ProofTemplateCreated' | 'ProofTemplateEdited' } & At & Content)
  | ({ readonly type: 'ProofTemplateArchived' } & At)

export type TemplateTypes = {
  readonly state: TemplateState
  readonly command: TemplateCommand
  readonly event: TemplateEvent
  readonly reply: TemplateRecord
  readonly views: { readonly record: TemplateRecord }
  readonly owed: never
}

export const templates = referencesTo<TemplateTypes>('tpl')
export const noSuchTemplate = refuse('proof_template_not_found', 'There is no proof template with this id.')

export const templateDecider: Decider<TemplateTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as TemplateRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchTemplate : state) },
}

const GROUPS_MAX = 16
const PREDICATES_MAX = 32
const INTEGER_MIN = -(2 ** 31)
const INTEGER_MAX = 2 ** 31 - 1
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
  return null
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

function decide(state: TemplateState, command: TemplateCommand): readonly TemplateEvent[] | Refused {
  if (command.type === 'CreateProofTemplate') {
    if (state.status !== 'none') return NOTHING_HAPPENS
    return checked({ ...command, type: 'ProofTemplateCreated' })
  }
  if (state.status === 'none' || command.tenant !== state.tenant) return noSuchTemplate
  const { atMs } = command
  if (command.type === 'EditProofTemplate') {
    if (state.status === 'archived')
      return refuse('invalid_request', 'The template is archived; create another one.')
    const { tenant, name, description, groups, predicates } = state
    const content = { tenant, name, description, groups, predicates, ...command.changes }
    return checked({ type: 'ProofTemplateEdited', atMs, ...content })
  }
  return state.status === 'archived' ? NOTHING_HAPPENS : [{ type: 'ProofTemplateArchived', atMs }]
}

const checked = (event: TemplateEvent & Content): readonly TemplateEvent[] | Refused => {
  const problem = templateProblem(event)
  return problem === null ? [event] : refuse('invalid_request', problem)
}

function evolve(state: TemplateState, event: TemplateEvent): TemplateState {
  if (event.type === 'ProofTemplateCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { type: _, atMs, ...content } = event
    return { ...content, status: 'active', createdAtMs: atMs, updatedAtMs: atMs }
  }
  if (state.status !== 'active') throw impossibleEvent(event, state.status)
  if (event.type === 'ProofTemplateEdited') {
    const { type: _, atMs, ...content } = event
    return { ...state, ...content, updatedAtMs: atMs }
  }
  return { ...state, status: 'archived', updatedAtMs: event.atMs }
}
