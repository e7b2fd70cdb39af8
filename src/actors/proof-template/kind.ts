import { Type } from 'typebox'
import {
  type TemplateCommand,
  templateDecider,
  type TemplateEvent,
  type TemplateReply,
  type TemplateState,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { event, oneOf, text, textOrNull, time } from '../stored-fields.ts'

export const TEMPLATE = 'tpl'

const content = {
  tenant: text,
  name: text,
  description: textOrNull,
  groups: Type.Array(
    Type.Object({ name: text, credentialDefinitionIds: Type.Array(text), attributes: Type.Array(text) }),
  ),
  predicates: Type.Array(
    Type.Object({
      group: text,
      attribute: text,
      operator: oneOf(['>=', '>', '<=', '<']),
      value: Type.Union([
        Type.Integer(),
        Type.Object({ yearsAgo: Type.Integer() }),
        Type.Object({ secondsFromNow: Type.Integer() }),
      ]),
    }),
  ),
}

export const templateActor = (): OldActorDefinition<
  TemplateState,
  TemplateCommand,
  TemplateEvent,
  TemplateReply
> =>
  defineActor({
    kind: TEMPLATE,
    decider: templateDecider,
    events: eventCodec({
      ProofTemplateCreated: { version: 1, schema: event('ProofTemplateCreated', content) },
      ProofTemplateEdited: { version: 1, schema: event('ProofTemplateEdited', content) },
      ProofTemplateArchived: { version: 1, schema: event('ProofTemplateArchived', {}) },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Union([
        Type.Object({ status: Type.Literal('none') }),
        Type.Object({
          status: oneOf(['active', 'archived']),
          ...content,
          createdAtMs: time,
          updatedAtMs: time,
        }),
      ]),
    }),
    snapshotEvery: 50,
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`a proof template owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`a proof template has no timer ${timerId}`)
    },
  })
