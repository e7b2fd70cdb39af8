import { Type } from 'typebox'
import {
  type SchemaCommand,
  schemaDecider,
  type SchemaEffect,
  type SchemaEvent,
  type SchemaReply,
  type SchemaState,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'
import { type Ledger, LedgerRefused } from '../../ports/ledger.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { type AuthorPorts, authorOf } from '../tenant/author.ts'

const SCHEMA = 'sch'

export type SchemaPorts = AuthorPorts & {
  readonly ledger: Pick<Ledger, 'publishSchema'>
  readonly runtime: Pick<Runtime, 'now'>
}

const ordered = { tenant: text, name: text, version: text, attributes: Type.Array(text) }
const place = Type.Integer({ minimum: 1 })

export const schemaActor = (
  ports: SchemaPorts,
): OldActorDefinition<SchemaState, SchemaCommand, SchemaEvent, SchemaReply, SchemaEffect> =>
  defineActor({
    kind: SCHEMA,
    decider: schemaDecider,
    events: eventCodec({
      SchemaOrdered: { version: 1, schema: event('SchemaOrdered', ordered) },
      SchemaPublished: { version: 1, schema: event('SchemaPublished', { ledgerId: text, seqNo: place }) },
      SchemaRefused: { version: 1, schema: event('SchemaRefused', { reason: text }) },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Union([
        Type.Object({ status: Type.Literal('none') }),
        Type.Object({
          status: oneOf(['pending', 'published', 'failed']),
          ...ordered,
          ledgerId: textOrNull,
          seqNo: orNull(place),
          lastError: textOrNull,
          createdAtMs: time,
          updatedAtMs: time,
        }),
      ]),
    }),
    snapshotEvery: 50,
    keyParent: null,
    erased: () => false,
    perform: (effect) => publish(ports, effect),
    onTimer: (timerId) => {
      throw new Error(`a schema has no timer ${timerId}`)
    },
  })

const publish = async (ports: SchemaPorts, { schema }: SchemaEffect): Promise<SchemaCommand> => {
  const { name, version, attributes } = schema
  try {
    const author = await authorOf(ports, schema.tenant)
    const { id, seqNo } = await ports.ledger.publishSchema(author, { name, version, attributes })
    return { type: 'RecordSchemaPublished', atMs: ports.runtime.now(), ledgerId: id, seqNo }
  } catch (error) {
    if (!(error instanceof LedgerRefused)) throw error
    return { type: 'RecordSchemaRefused', atMs: ports.runtime.now(), reason: error.message }
  }
}
