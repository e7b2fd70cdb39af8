import { Type } from 'typebox'
import { defineKind, keysAbove } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { performDefinitionEffect } from './effects.ts'
import { definitionOrders } from './orders.ts'
import { definitionRoutes } from './routes.ts'
import { definitionDecider, credentialDefinition, type DefinitionTypes } from './rules.ts'

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
  references: credentialDefinition,
  isCopied: true,
  // What signs stays with its owner: another node has it for the one signature that it was read for.
  viewsNotCopied: ['privatePart'],
  decider: definitionDecider,
  ...storedRecord({
    personal: ['privatePart'],
    events: {
      DefinitionOrdered: facts,
      KeysGenerated: { ...publicKeys, privatePart: textOrNull },
      DefinitionPublished: { ledgerId: text },
      DefinitionRefused: { reason: text },
    },
    records: [
      {
        status: oneOf(['pending', 'published', 'failed']),
        ...facts,
        keys: orNull(Type.Object(publicKeys)),
        privatePart: textOrNull,
        ledgerId: textOrNull,
        lastError: textOrNull,
        createdAtMs: time,
        updatedAtMs: time,
      },
    ],
  }),
  keyParent: keysAbove,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect) => performDefinitionEffect(ports, effect) }),
  listed: {
    list: 'credential-definition',
    row: (definition) => rowOfRecord(definition, { texts: [definition.schema.name, definition.tag] }),
  },
  routes: definitionRoutes,
  localRoutes: definitionOrders,
})
