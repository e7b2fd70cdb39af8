import { holdsPersonalData } from '../../domain/attribute-names.ts'
import { EXPIRES_AT } from '../../domain/attributes.ts'
import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import {
  decidePublishing,
  evolvePublishing,
  isOnItsWay,
  isPublishingCommand,
  isPublishingEvent,
  owesEndorsement,
  owesWriting,
  type Publishing,
  type PublishingCommand,
  type PublishingEvent,
} from '../../domain/publishing.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/** What becomes of it: `src/domain/publishing.ts`. */
export type SchemaRecord = Publishing & {
  readonly name: string
  readonly version: string
  readonly attributes: readonly string[]
  readonly ledgerId: string | null
  /** Its place on the ledger; definitions name the schema by it. */
  readonly seqNo: number | null
  readonly createdAtMs: number
}

type Timed = { readonly atMs: number }
type Ordered = Pick<SchemaRecord, 'tenant' | 'name' | 'version' | 'attributes' | 'endorsement'>
type Published = Timed & { readonly ledgerId: string; readonly seqNo: number }

export type SchemaCommand =
  | PublishingCommand
  | ({ readonly type: 'PublishSchema' } & Timed & Ordered)
  | ({ readonly type: 'RecordSchemaPublished' } & Published)
  | ({ readonly type: 'RecordSchemaRefused'; readonly reason: string } & Timed)

export type SchemaEvent =
  | PublishingEvent
  | ({ readonly type: 'SchemaOrdered' } & Timed & Ordered)
  | ({ readonly type: 'SchemaPublished' } & Published)
  | ({ readonly type: 'SchemaRefused'; readonly reason: string } & Timed)

export type SchemaEffect = {
  readonly id: string
  readonly kind: 'ask-endorsement' | 'publish-schema'
  readonly schema: SchemaRecord
}

export type SchemaTypes = RecordTypes<SchemaRecord, SchemaCommand, SchemaEvent, SchemaEffect>

export const schema = referencesTo<SchemaTypes>('sch')

export const schemaDecider: Decider<SchemaTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no schema with this id.'),
  first: ['PublishSchema', 'SchemaOrdered'],
  create: (command) => {
    const problem = schemaProblem(command)
    return problem === null ? { ...command, type: 'SchemaOrdered' } : refuse('invalid_request', problem)
  },
  created: (ordered, atMs) => ({
    ...ordered,
    status: 'pending',
    ledgerId: null,
    seqNo: null,
    lastError: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  again,
  decide: (record, command) => {
    if (isPublishingCommand(command)) return decidePublishing(record, command, 'schema_not_published')
    if (!owesWriting(record)) return NOTHING_HAPPENS
    return command.type === 'RecordSchemaRefused'
      ? [{ ...command, type: 'SchemaRefused' }]
      : [{ ...command, type: 'SchemaPublished' }]
  },
  evolve: (record, event) => {
    if (isPublishingEvent(event)) return { ...record, ...evolvePublishing(record, event) }
    if (!isOnItsWay(record)) throw impossibleEvent(event, record.status)
    const at = { ...record, updatedAtMs: event.atMs }
    if (event.type === 'SchemaRefused') return { ...at, status: 'failed', lastError: event.reason }
    return { ...at, status: 'published', ledgerId: event.ledgerId, seqNo: event.seqNo }
  },
  owed: (record) => {
    if (owesEndorsement(record)) return [{ id: 'endorsement', kind: 'ask-endorsement', schema: record }]
    return owesWriting(record) ? [{ id: 'publish', kind: 'publish-schema', schema: record }] : []
  },
})

/** What is wrong with a schema before anything is written, as a sentence; null when nothing is. */
export const schemaProblem = ({
  name,
  version,
  attributes,
}: Pick<Ordered, 'name' | 'version' | 'attributes'>): string | null => {
  if (!SCHEMA_NAME.test(name))
    return 'name must have 1 to 100 characters: letters, digits, space, point, hyphen, underscore.'
  if (!SCHEMA_VERSION.test(version)) return 'version must be numbers with points between them, such as 1.0.'
  if (attributes.length === 0 || attributes.length > limits.attributesMax)
    return `attributes must have 1 to ${limits.attributesMax} names.`
  if (
    attributes.some(
      (each) => each.trim() === '' || Array.from(each).length > limits.attributeNameCharactersMax,
    )
  )
    return `attributes must have names of 1 to ${limits.attributeNameCharactersMax} characters.`
  // AnonCreds takes names that differ in case or spaces only for the same.
  if (new Set(attributes.map((each) => each.replaceAll(' ', '').toLowerCase())).size !== attributes.length)
    return 'attributes must not have a name twice, also not in another case.'
  if (attributes.some(holdsPersonalData))
    return 'attributes must not have a name that holds an e-mail address, a telephone number or six digits: the ledger shows it to everybody, for ever.'
  if (!attributes.includes(EXPIRES_AT))
    return `attributes must include ${EXPIRES_AT}: every credential expires.`
  return null
}

export const SCHEMA_NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u
export const SCHEMA_VERSION = /^\d{1,9}(\.\d{1,9}){1,2}$/

/** The id follows from name and version, and what these once meant cannot change. */
function again(state: SchemaRecord, { attributes }: Ordered): readonly SchemaEvent[] | Refused {
  const sorted = (names: readonly string[]): string => JSON.stringify([...names].sort())
  if (sorted(state.attributes) === sorted(attributes)) return NOTHING_HAPPENS
  const reason = `${state.name} ${state.version} exists with other attributes: take another version.`
  return refuse('already_published', reason)
}
