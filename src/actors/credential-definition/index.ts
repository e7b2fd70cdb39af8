import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'
import { performDefinitionEffect } from './effects.ts'
import { publishingOrders } from './orders.ts'
import { definitionRoutes } from './routes.ts'
import { definitionDecider, definitions, type DefinitionTypes } from './rules.ts'

const facts = {
  tenant: text,
  schema: Type.Object({
    id: text,
    ledgerId: text,
    seqNo: Type.Integer({ minimum: 1 }),
    name: text,
    version: text,
    attributes: Type.Array(text),
  }),
  tag: text,
}
const publicKeys = { publicPart: text, keyCorrectnessProof: text }

/** Credential definitions: the keys that sign the credentials of one schema. */
export const definitionKind = defineKind<DefinitionTypes>({
  references: definitions,
  decider: definitionDecider,
  events: eventCodec({
    DefinitionOrdered: { version: 1, schema: event('DefinitionOrdered', facts) },
    KeysGenerated: {
      version: 1,
      schema: event('KeysGenerated', { ...publicKeys, privatePart: textOrNull }),
      personal: ['privatePart'],
    },
    DefinitionPublished: { version: 1, schema: event('DefinitionPublished', { ledgerId: text }) },
    DefinitionRefused: { version: 1, schema: event('DefinitionRefused', { reason: text }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Union([
      Type.Object({ status: Type.Literal('none') }),
      Type.Object({
        status: oneOf(['pending', 'published', 'failed']),
        ...facts,
        keys: orNull(Type.Object(publicKeys)),
        privatePart: textOrNull,
        ledgerId: textOrNull,
        lastError: textOrNull,
        createdAtMs: time,
        updatedAtMs: time,
      }),
    ]),
    personal: ['privatePart'],
  }),
  keyParent: (_, first) => {
    if (first.type !== 'PublishDefinition') throw new Error(`a definition does not begin with ${first.type}`)
    return { tenant: first.tenant, connection: null }
  },
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect) => performDefinitionEffect(ports, effect) }),
  listed: {
    list: 'credential-definition',
    row: (_, definition) => rowOfRecord(definition, { texts: [definition.schema.name, definition.tag] }),
  },
  routes: definitionRoutes,
  localRoutes: publishingOrders,
})
