import { EXPIRES_AT } from '../../domain/attributes.ts'
import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import { limits } from '../../domain/limits.ts'

/** pending ──written to the ledger──▶ published, or ──refused by it──▶ failed */
export type SchemaRecord = {
  readonly status: 'pending' | 'published' | 'failed'
  readonly tenant: string
  readonly name: string
  readonly version: string
  readonly attributes: readonly string[]
  readonly ledgerId: string | null
  /** Its place on the ledger; definitions name the schema by it. */
  readonly seqNo: number | null
  readonly lastError: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
}
export type SchemaState = { readonly status: 'none' } | SchemaRecord

type Ordered = Pick<SchemaRecord, 'tenant' | 'name' | 'version' | 'attributes'>

export type SchemaCommand =
  | ({ readonly type: 'PublishSchema'; readonly atMs: number } & Ordered)
  | {
      readonly type: 'RecordSchemaPublished'
      readonly atMs: number
      readonly ledgerId: string
      readonly seqNo: number
    }
  | { readonly type: 'RecordSchemaRefused'; readonly atMs: number; readonly reason: string }
  | { readonly type: 'ReadSchema' }

export type SchemaEvent =
  | ({ readonly type: 'SchemaOrdered'; readonly atMs: number } & Ordered)
  | {
      readonly type: 'SchemaPublished'
      readonly atMs: number
      readonly ledgerId: string
      readonly seqNo: number
    }
  | { readonly type: 'SchemaRefused'; readonly atMs: number; readonly reason: string }

export type SchemaReply = { readonly schema: SchemaRecord } | Refused

export type SchemaEffect = {
  readonly id: string
  readonly kind: 'publish-schema'
  readonly schema: SchemaRecord
}

type Decided = Decision<SchemaEvent, SchemaReply>

export const schemaDecider: OldDecider<SchemaState, SchemaCommand, SchemaEvent, SchemaReply, SchemaEffect> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { schema: state }),
  evolve,
  owed: (state) =>
    state.status === 'pending' ? [{ id: 'publish', kind: 'publish-schema', schema: state }] : [],
  timers: () => [],
}

/** What is wrong with a schema before anything is written, as a sentence; null when nothing is. */
export const schemaProblem = ({
  name,
  version,
  attributes,
}: Pick<Ordered, 'name' | 'version' | 'attributes'>): string | null => {
  if (!NAME.test(name))
    return 'name must have 1 to 100 characters: letters, digits, space, point, hyphen, underscore.'
  if (!VERSION.test(version)) return 'version must be numbers with points between them, such as 1.0.'
  if (attributes.length === 0 || attributes.length > limits.attributesMax)
    return `attributes must have 1 to ${limits.attributesMax} names.`
  if (attributes.some((each) => each.trim() === '' || each.length > limits.attributeNameCharactersMax))
    return `attributes must have names of 1 to ${limits.attributeNameCharactersMax} characters.`
  // AnonCreds takes names that differ in case or spaces only for the same.
  if (new Set(attributes.map((each) => each.replaceAll(' ', '').toLowerCase())).size !== attributes.length)
    return 'attributes must not have a name twice, also not in another case.'
  if (!attributes.includes(EXPIRES_AT))
    return `attributes must include ${EXPIRES_AT}: every credential expires.`
  return null
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u
const VERSION = /^\d{1,9}(\.\d{1,9}){1,2}$/

const nothing = (reply: SchemaReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no schema with this id.'))

function decide(state: SchemaState, command: SchemaCommand): Decided {
  if (command.type === 'PublishSchema') {
    if (state.status !== 'none') return again(state, command)
    const problem = schemaProblem(command)
    if (problem !== null) return nothing(refuse('invalid_request', problem))
    const { type: _, ...ordered } = command
    return moved(state, { type: 'SchemaOrdered', ...ordered })
  }
  if (state.status === 'none') return unknown()
  if (command.type === 'ReadSchema' || state.status !== 'pending') return nothing({ schema: state })
  const { atMs } = command
  if (command.type === 'RecordSchemaRefused')
    return moved(state, { type: 'SchemaRefused', atMs, reason: command.reason })
  return moved(state, {
    type: 'SchemaPublished',
    atMs,
    ledgerId: command.ledgerId,
    seqNo: command.seqNo,
  })
}

/** The id follows from name and version, and what these once meant cannot change. */
function again(state: SchemaRecord, { attributes }: SchemaCommand & { type: 'PublishSchema' }): Decided {
  const sorted = (names: readonly string[]): string => JSON.stringify([...names].sort())
  if (sorted(state.attributes) === sorted(attributes)) return nothing({ schema: state })
  const reason = `${state.name} ${state.version} exists with other attributes: take another version.`
  return nothing(refuse('already_published', reason))
}

function evolve(state: SchemaState, event: SchemaEvent): SchemaState {
  const { atMs } = event
  if (event.type === 'SchemaOrdered') {
    if (state.status !== 'none') throw impossible(state, event)
    const { tenant, name, version, attributes } = event
    const open = { ledgerId: null, seqNo: null, lastError: null, createdAtMs: atMs, updatedAtMs: atMs }
    return { status: 'pending', tenant, name, version, attributes, ...open }
  }
  if (state.status !== 'pending') throw impossible(state, event)
  if (event.type === 'SchemaRefused')
    return { ...state, status: 'failed', lastError: event.reason, updatedAtMs: atMs }
  const { ledgerId, seqNo } = event
  return { ...state, status: 'published', ledgerId, seqNo, updatedAtMs: atMs }
}

const moved = (state: SchemaState, event: SchemaEvent): Decided => ({
  events: [event],
  reply: { schema: evolve(state, event) as SchemaRecord },
})

const impossible = (state: SchemaState, event: SchemaEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
