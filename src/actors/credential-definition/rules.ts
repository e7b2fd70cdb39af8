import type { OldDecider, Decision } from '../../domain/decider.ts'
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
type PublicKeys = Omit<DefinitionKeys, 'privatePart'>

export type DefinitionRecord = Facts & {
  readonly status: 'pending' | 'published' | 'failed'
  readonly keys: PublicKeys | null
  readonly privatePart: string | null
  readonly ledgerId: string | null
  readonly lastError: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
export type DefinitionState = { readonly status: 'none' } | DefinitionRecord

export type DefinitionCommand =
  | ({ readonly type: 'PublishDefinition'; readonly atMs: number } & Facts)
  | ({ readonly type: 'RecordKeysGenerated'; readonly atMs: number } & DefinitionKeys)
  | { readonly type: 'RecordDefinitionPublished'; readonly atMs: number; readonly ledgerId: string }
  | { readonly type: 'RecordDefinitionRefused'; readonly atMs: number; readonly reason: string }
  | { readonly type: 'ReadDefinition' }
  | { readonly type: 'ReadPrivatePart' }

export type DefinitionEvent =
  | ({ readonly type: 'DefinitionOrdered'; readonly atMs: number } & Facts)
  | ({ readonly type: 'KeysGenerated'; readonly atMs: number } & DefinitionKeys)
  | { readonly type: 'DefinitionPublished'; readonly atMs: number; readonly ledgerId: string }
  | { readonly type: 'DefinitionRefused'; readonly atMs: number; readonly reason: string }

/** The private part travels in the one reply that is asked for it. */
export type PublicDefinition = Omit<DefinitionRecord, 'privatePart'>
export type DefinitionReply =
  | { readonly definition: PublicDefinition }
  | { readonly tenant: string; readonly privatePart: string | null }
  | Refused

export type DefinitionEffect = {
  readonly id: string
  readonly kind: 'generate-keys' | 'publish-definition'
  readonly definition: PublicDefinition
}

type Decided = Decision<DefinitionEvent, DefinitionReply>

export const definitionDecider: OldDecider<
  DefinitionState,
  DefinitionCommand,
  DefinitionEvent,
  DefinitionReply,
  DefinitionEffect
> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : shown(state)),
  evolve,
  owed: (state) => {
    if (state.status !== 'pending') return []
    const { definition } = shown(state)
    return state.keys === null
      ? [{ id: 'keys', kind: 'generate-keys', definition }]
      : [{ id: 'publish', kind: 'publish-definition', definition }]
  },
  timers: () => [],
}

/** What is wrong with a tag, as a sentence; null when nothing is. */
export const tagProblem = (tag: string): string | null =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(tag)
    ? null
    : 'tag must have 1 to 100 characters: letters, digits, point, hyphen, underscore.'

const shown = (state: DefinitionRecord): { definition: PublicDefinition } => {
  const { privatePart: _, ...definition } = state
  return { definition }
}
const nothing = (reply: DefinitionReply): Decided => ({ events: [], reply })
const unknown = (): Decided =>
  nothing(refuse('credential_definition_not_found', 'There is no credential definition with this id.'))

function decide(state: DefinitionState, command: DefinitionCommand): Decided {
  if (command.type === 'PublishDefinition') {
    if (state.status !== 'none') return nothing(shown(state))
    const problem = tagProblem(command.tag)
    if (problem !== null) return nothing(refuse('invalid_request', problem))
    const { type: _, ...facts } = command
    return moved(state, { type: 'DefinitionOrdered', ...facts })
  }
  if (state.status === 'none') return unknown()
  switch (command.type) {
    case 'ReadDefinition':
      return nothing(shown(state))
    case 'ReadPrivatePart':
      return nothing({ tenant: state.tenant, privatePart: state.privatePart })
    case 'RecordKeysGenerated': {
      // Keys that were made twice after a crash: the first that were committed are the ones.
      if (state.status !== 'pending' || state.keys !== null) return nothing(shown(state))
      const { type: _, ...made } = command
      return moved(state, { type: 'KeysGenerated', ...made })
    }
    case 'RecordDefinitionPublished': {
      if (state.status !== 'pending' || state.keys === null) return nothing(shown(state))
      const { atMs, ledgerId } = command
      return moved(state, { type: 'DefinitionPublished', atMs, ledgerId })
    }
    case 'RecordDefinitionRefused': {
      if (state.status !== 'pending') return nothing(shown(state))
      const { atMs, reason } = command
      return moved(state, { type: 'DefinitionRefused', atMs, reason })
    }
  }
}

function evolve(state: DefinitionState, event: DefinitionEvent): DefinitionState {
  const { atMs } = event
  if (event.type === 'DefinitionOrdered') {
    if (state.status !== 'none') throw impossible(state, event)
    const { tenant, schema, tag } = event
    const open = { keys: null, privatePart: null, ledgerId: null, lastError: null }
    return { status: 'pending', tenant, schema, tag, ...open, createdAtMs: atMs, updatedAtMs: atMs }
  }
  if (state.status !== 'pending') throw impossible(state, event)
  const at = { ...state, updatedAtMs: atMs }
  switch (event.type) {
    case 'KeysGenerated': {
      if (state.keys !== null) throw impossible(state, event)
      const { publicPart, keyCorrectnessProof, privatePart } = event
      return { ...at, keys: { publicPart, keyCorrectnessProof }, privatePart }
    }
    case 'DefinitionPublished':
      if (state.keys === null) throw impossible(state, event)
      return { ...at, status: 'published', ledgerId: event.ledgerId }
    case 'DefinitionRefused':
      return { ...at, status: 'failed', lastError: event.reason }
  }
}

const moved = (state: DefinitionState, event: DefinitionEvent): Decided => ({
  events: [event],
  reply: shown(evolve(state, event) as DefinitionRecord),
})

const impossible = (state: DefinitionState, event: DefinitionEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
