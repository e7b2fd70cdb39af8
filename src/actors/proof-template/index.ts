import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { event, oneOf, text, textOrNull, time } from '../stored-fields.ts'
import { proofTemplateRoutes } from './routes.ts'
import { templateDecider, templates, type TemplateTypes } from './rules.ts'

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

/** What an organisation asks holders to prove, written once and used for many requests. */
export const templateKind = defineKind<TemplateTypes>({
  references: templates,
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
  listed: { list: 'proof-template', row: (_, template) => rowOfRecord(template, { texts: [template.name] }) },
  routes: proofTemplateRoutes,
})
