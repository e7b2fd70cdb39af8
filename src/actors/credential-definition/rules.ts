import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/**
 *   pending ──keys made──▶ pending ──written to the ledger──▶ published
 *      └──────────────────────┴──── refused ────▶ failed
 */
type Facts = {
  readonly tenant: string
  readonly schema: {
    readonly id: string
    readonly ledgerId: string
    readonly seqNo: number
    readonly name: string
    readonly version: string
    readonly attributes: readonly string[]
  }
  readonly tag: string
}

/** Texts as the cryptography gave them. `privatePart` signs credentials; it is sealed wherever it is kept. */
export type DefinitionKeys = {
  readonly publicPart: string
  readonly keyCorrectnessProof: string
  readonly privatePart: string | null
}

/** What everybody may know of it. The private part travels in the one view that is asked for it. */
export type DefinitionRecord = Facts & {
  readonly status: 'pending' | 'published' | 'failed'
  readonly keys: Omit<DefinitionKeys, 'privatePart'> | null
  readonly ledgerId: string | null
  readonly lastError: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
type Whole = DefinitionRecord & Pick<DefinitionKeys, 'privatePart'>
export type DefinitionState = { readonly status: 'none' } | Whole

type At = { readonly atMs: number }

export type DefinitionCommand =
  | ({ readonly type: 'PublishDefinition' } & At & Facts)
  | ({ readonly type: 'RecordKeysGenerated' } & At & DefinitionKeys)
  | ({ readonly type: 'RecordDefinitionPublished'; readonly ledgerId: string } & At)
  | ({ readonly type: 'RecordDefinitionRefused'; readonly reason: string } & At)

export type DefinitionEvent =
  | ({ readonly type: 'DefinitionOrdered' } & At & Facts)
  | ({ readonly type: 'KeysGenerated' } & At & DefinitionKeys)
  | ({ readonly type: 'DefinitionPublished'; readonly ledgerId: string } & At)
  | ({ readonly type: 'DefinitionRefused'; readonly reason: string } & At)

export type DefinitionEffect = {
  readonly id: string
  readonly kind: 'generate-keys' | 'publish-definition'
  readonly definition: DefinitionRecord
}

export type DefinitionTypes = {
  readonly state: DefinitionState
  readonly command: DefinitionCommand
  readonly event: DefinitionEvent
  readonly reply: DefinitionRecord
  readonly views: {
    readonly record: DefinitionRecord
    readonly privatePart: Pick<Whole, 'tenant' | 'privatePart'>
  }
  readonly owed: DefinitionEffect
}

export const definitions = referencesTo<DefinitionTypes>('def')

const noSuchDefinition = refuse(
  'credential_definition_not_found',
  'There is no credential definition with this id.',
)

export const definitionDecider: Decider<DefinitionTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => recordOf(state as Whole),
  views: {
    record: (state) => (state.status === 'none' ? noSuchDefinition : recordOf(state)),
    privatePart: (state) =>
      state.status === 'none' ? noSuchDefinition : { tenant: state.tenant, privatePart: state.privatePart },
  },
  owed: (state) => {
    if (state.status !== 'pending') return []
    const definition = recordOf(state)
    return state.keys === null
      ? [{ id: 'keys', kind: 'generate-keys', definition }]
      : [{ id: 'publish', kind: 'publish-definition', definition }]
  },
}

/** What is wrong with a tag, as a sentence; null when nothing is. */
export const tagProblem = (tag: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(tag)
    ? null
    : 'tag must have 1 to 100 characters: letters, digits, point, hyphen, underscore.'

function recordOf(state: Whole): DefinitionRecord {
  const { privatePart: _, ...definition } = state
  return definition
}

function decide(state: DefinitionState, command: DefinitionCommand): readonly DefinitionEvent[] | Refused {
  if (command.type === 'PublishDefinition') {
    if (state.status !== 'none') return NOTHING_HAPPENS
    const problem = tagProblem(command.tag)
    return problem === null ? [{ ...command, type: 'DefinitionOrdered' }] : refuse('invalid_request', problem)
  }
  if (state.status === 'none') return noSuchDefinition
  if (state.status !== 'pending') return NOTHING_HAPPENS
  switch (command.type) {
    case 'RecordKeysGenerated':
      // Keys that were made twice after a crash: the first that were committed are the ones.
      return state.keys === null ? [{ ...command, type: 'KeysGenerated' }] : NOTHING_HAPPENS
    case 'RecordDefinitionPublished':
      return state.keys === null ? NOTHING_HAPPENS : [{ ...command, type: 'DefinitionPublished' }]
    case 'RecordDefinitionRefused':
      return [{ ...command, type: 'DefinitionRefused' }]
  }
}

function evolve(state: DefinitionState, event: DefinitionEvent): DefinitionState {
  const { atMs } = event
  if (event.type === 'DefinitionOrdered') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { tenant, schema, tag } = event
    const open = { keys: null, privatePart: null, ledgerId: null, lastError: null }
    return { status: 'pending', tenant, schema, tag, ...open, createdAtMs: atMs, updatedAtMs: atMs }
  }
  if (state.status !== 'pending') throw impossibleEvent(event, state.status)
  const at = { ...state, updatedAtMs: atMs }
  switch (event.type) {
    case 'KeysGenerated': {
      if (state.keys !== null) throw impossibleEvent(event, state.status)
      const { publicPart, keyCorrectnessProof, privatePart } = event
      return { ...at, keys: { publicPart, keyCorrectnessProof }, privatePart }
    }
    case 'DefinitionPublished':
      if (state.keys === null) throw impossibleEvent(event, state.status)
      return { ...at, status: 'published', ledgerId: event.ledgerId }
    case 'DefinitionRefused':
      return { ...at, status: 'failed', lastError: event.reason }
  }
}
