import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, storedRecord, text, textOrNull, time } from '../stored-fields.ts'
import { proofTemplateRoutes } from './routes.ts'
import { templateDecider, proofTemplate, type TemplateTypes } from './rules.ts'

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
  biometricRequired: Type.Optional(Type.Boolean()),
}

/** What an organisation asks holders to prove, written once and used for many requests. */
export const templateKind = defineKind<TemplateTypes>({
  references: proofTemplate,
  isCopied: true,
  decider: templateDecider,
  ...storedRecord({
    events: { ProofTemplateCreated: content, ProofTemplateEdited: content, ProofTemplateArchived: {} },
    records: [{ status: oneOf(['active', 'archived']), ...content, createdAtMs: time, updatedAtMs: time }],
  }),
  listed: {
    list: 'proof-template',
    row: (template) => {
      const filters = { biometricRequired: template.biometricRequired === true ? 'true' : null }
      return rowOfRecord(template, { filters, texts: [template.name] })
    },
  },
  routes: proofTemplateRoutes,
})
