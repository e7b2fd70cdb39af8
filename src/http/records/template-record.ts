import { type Static, Type } from 'typebox'
import type { TemplateRecord } from '../../domain/catalogue/proof-template.ts'
import { dateTime, exact, isoTime, textOrNull } from './fields.ts'

const text = Type.String({ minLength: 1, maxLength: 300 })
const integer = Type.Integer({ minimum: -2_147_483_647, maximum: 2_147_483_647 })

/** What is written by people of the organisation, and what is shown of it. */
export const templateContent = {
  name: Type.String({ minLength: 1, maxLength: 200 }),
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()]),
  groups: Type.Array(
    exact({
      name: text,
      credentialDefinitionIds: Type.Array(text, { minItems: 1, maxItems: 50 }),
      attributes: Type.Array(text, { maxItems: 125 }),
    }),
    { minItems: 1, maxItems: 16 },
  ),
  predicates: Type.Array(
    exact({
      group: text,
      attribute: text,
      operator: Type.Union([Type.Literal('>='), Type.Literal('>'), Type.Literal('<='), Type.Literal('<')]),
      value: Type.Union([
        integer,
        exact({ yearsAgo: Type.Integer({ minimum: -200, maximum: 200 }) }),
        exact({ secondsFromNow: integer }),
      ]),
    }),
    { maxItems: 32 },
  ),
}

export const templateSchema = exact({
  id: Type.String(),
  ...templateContent,
  description: textOrNull,
  status: Type.String(),
  biometricRequired: Type.Boolean(),
  createdAt: dateTime,
  updatedAt: dateTime,
})

export const templateView = (id: string, record: TemplateRecord): Static<typeof templateSchema> => {
  const { name, description, groups, predicates, status, createdAtMs, updatedAtMs } = record
  return {
    id,
    name,
    description,
    groups: groups.map((group) => ({
      name: group.name,
      credentialDefinitionIds: [...group.credentialDefinitionIds],
      attributes: [...group.attributes],
    })),
    predicates: predicates.map((each) => ({ ...each })),
    status,
    biometricRequired: false,
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  }
}
