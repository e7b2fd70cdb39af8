import { Type } from 'typebox'
import { defineKind, keysAbove } from '../define-kind.ts'
import { endorsement, publishingEvents, publishingFields } from '../publishing-fields.ts'
import { rowOfRecord } from '../rows.ts'
import { orNull, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { performDefinitionEffect } from './effects.ts'
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
  // Releases without endorsement by hand do not say it.
  endorsement: Type.Optional(endorsement),
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
      ...publishingEvents,
      DefinitionOrdered: facts,
      KeysBegun: {},
      KeysQueued: {},
      KeysGenerated: { ...publicKeys, privatePart: textOrNull },
      DefinitionPublished: { ledgerId: text },
      DefinitionRefused: { reason: text },
    },
    records: [
      {
        ...publishingFields,
        ...facts,
        keysBegunAtMs: Type.Optional(orNull(time)),
        keys: orNull(Type.Object(publicKeys)),
        privatePart: textOrNull,
        ledgerId: textOrNull,
        createdAtMs: time,
      },
    ],
  }),
  keyParent: keysAbove,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({ perform: (effect, { actor }) => performDefinitionEffect(ports, effect, actor) }),
  listed: {
    list: 'credential-definition',
    row: (definition) => rowOfRecord(definition, { texts: [definition.schema.name, definition.tag] }),
  },
  routes: definitionRoutes,
})
