import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

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

export type TemplateCommand =
  | ({ readonly type: 'CreateProofTemplate'; readonly atMs: number } & Content)
  /** What is not named stays as it is. */
  | {
      readonly type: 'EditProofTemplate'
      readonly atMs: number
      readonly tenant: string
      readonly changes: TemplateChanges
    }
  | { readonly type: 'ArchiveProofTemplate'; readonly atMs: number; readonly tenant: string }
  | { readonly type: 'ReadProofTemplate' }

export type TemplateEvent =
  | ({ readonly type: 'ProofTemplateCreated'; readonly atMs: number } & Content)
  | ({ readonly type: 'ProofTemplateEdited'; readonly atMs: number } & Content)
  | { readonly type: 'ProofTemplateArchived'; readonly atMs: number }

export type TemplateReply = { readonly template: TemplateRecord } | Refused

type Decided = Decision<TemplateEvent, TemplateReply>

export const templateDecider: OldDecider<TemplateState, TemplateCommand, TemplateEvent, TemplateReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { template: state }),
  evolve,
  owed: () => [],
  timers: () => [],
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

const nothing = (reply: TemplateReply): Decided => ({ events: [], reply })
const unknown = (): Decided =>
  nothing(refuse('proof_template_not_found', 'There is no proof template with this id.'))

function decide(state: TemplateState, command: TemplateCommand): Decided {
  if (command.type === 'CreateProofTemplate') {
    if (state.status !== 'none') return nothing({ template: state })
    const problem = templateProblem(command)
    if (problem !== null) return nothing(refuse('invalid_request', problem))
    const { type: _, ...content } = command
    return moved(state, { type: 'ProofTemplateCreated', ...content })
  }
  if (state.status === 'none') return unknown()
  if (command.type === 'ReadProofTemplate') return nothing({ template: state })
  if (command.tenant !== state.tenant) return unknown()
  if (command.type === 'EditProofTemplate') return edit(state, command)
  if (state.status === 'archived') return nothing({ template: state })
  return moved(state, { type: 'ProofTemplateArchived', atMs: command.atMs })
}

function edit(state: TemplateRecord, command: TemplateCommand & { type: 'EditProofTemplate' }): Decided {
  if (state.status === 'archived')
    return nothing(refuse('invalid_request', 'The template is archived; create another one.'))
  const { tenant, name, description, groups, predicates } = state
  const content = { tenant, name, description, groups, predicates, ...command.changes }
  const problem = templateProblem(content)
  if (problem !== null) return nothing(refuse('invalid_request', problem))
  return moved(state, { type: 'ProofTemplateEdited', atMs: command.atMs, ...content })
}

function evolve(state: TemplateState, event: TemplateEvent): TemplateState {
  if (event.type === 'ProofTemplateCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, ...content } = event
    return { ...content, status: 'active', createdAtMs: atMs, updatedAtMs: atMs }
  }
  if (state.status !== 'active') throw impossible(state, event)
  if (event.type === 'ProofTemplateEdited') {
    const { type: _, atMs, ...content } = event
    return { ...state, ...content, updatedAtMs: atMs }
  }
  return { ...state, status: 'archived', updatedAtMs: event.atMs }
}

const moved = (state: TemplateState, event: TemplateEvent): Decided => ({
  events: [event],
  reply: { template: evolve(state, event) as TemplateRecord },
})

const impossible = (state: TemplateState, event: TemplateEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
