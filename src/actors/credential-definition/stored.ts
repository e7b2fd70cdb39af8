import { Type } from 'typebox'
import type { DefinitionEvent, DefinitionState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { event, oneOf, orNull, text, textOrNull, time } from '../stored-fields.ts'

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

export const definitionEvents: Codec<DefinitionEvent> = eventCodec({
  DefinitionOrdered: { version: 1, schema: event('DefinitionOrdered', facts) },
  KeysGenerated: {
    version: 1,
    schema: event('KeysGenerated', { ...publicKeys, privatePart: textOrNull }),
    personal: ['privatePart'],
  },
  DefinitionPublished: { version: 1, schema: event('DefinitionPublished', { ledgerId: text }) },
  DefinitionRefused: { version: 1, schema: event('DefinitionRefused', { reason: text }) },
})

export const definitionSnapshots: Codec<DefinitionState> = codec({
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
})
