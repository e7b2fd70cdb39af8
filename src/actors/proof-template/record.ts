import { type Static, Type } from 'typebox'
import { INTEGER_MAX, type TemplateRecord } from './rules.ts'
import { limits } from '../../domain/limits.ts'
import {
  exact,
  isoTime,
  NOT_BLANK,
  recordOf,
  recordTimes,
  sentText,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'

const attribute = (description: string, example: string) =>
  sentText(limits.attributeNameCharactersMax, description, example)
const groupName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 100,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description} Letters, digits, hyphens and underscores.`,
    examples: ['person'],
  })
const integer = (description: string) =>
  Type.Integer({ minimum: -2_147_483_647, maximum: 2_147_483_647, description })
const RELATIVE = 'A number, or a date that is worked out when the proof is requested.'

const predicatesOf = (rules: object) =>
  Type.Array(
    Type.Object(
      {
        group: groupName('One of the groups, whose credential has to fulfil it.'),
        attribute: attribute('An attribute that holds a number.', 'birthdate'),
        operator: Type.Union([Type.Literal('>='), Type.Literal('>'), Type.Literal('<='), Type.Literal('<')], {
          description: 'How the attribute compares with the value.',
          examples: ['<='],
        }),
        value: Type.Union(
          [
            integer('A number of 32 bits; with > less than the greatest.'),
            exact({
              yearsAgo: Type.Integer({
                minimum: -200,
                maximum: 200,
                description: 'The day so many years before today, as YYYYMMDD.',
              }),
            }),
            exact({ secondsFromNow: integer('The time so many seconds from now, as Unix seconds.') }),
          ],
          { description: RELATIVE, examples: [{ yearsAgo: 18 }] },
        ),
      },
      { additionalProperties: false, ...rules },
    ),
    {
      maxItems: 32,
      description:
        'What has to be true of attributes that are not disclosed, of whole numbers of 32 bits alone. With the expiry of each group, its bound, and a bound for each attribute that `>` or `>=` compares, a proof has at most 64 comparisons.',
    },
  )

/** What is written by people of the organisation, and what is shown of it. */
export const templateContent = {
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: NOT_BLANK,
    description: 'What it is called.',
    examples: ['Over 18'],
  }),
  description: Type.Union([Type.String({ maxLength: 1_000 }), Type.Null()], {
    description: 'What it is for, for people.',
    examples: ['Name and age at the entrance'],
  }),
  groups: Type.Array(
    exact({
      name: groupName('What the group is called in `disclosed`; each group has a name of its own.'),
      credentialDefinitionIds: Type.Array(
        sentText(
          limits.ledgerIdCharactersMax,
          'A catalogue id or a ledger id.',
          'def_c20a4b6d8f1e3c5a7b9d0f2e4c',
        ),
        {
          minItems: 1,
          maxItems: 50,
          description: 'One credential of any of these definitions answers the whole group.',
        },
      ),
      attributes: Type.Array(attribute('The name of an attribute.', 'name'), {
        maxItems: limits.attributesMax,
        uniqueItems: true,
        description: 'What the holder has to disclose; each definition of the group must have it.',
      }),
    }),
    { minItems: 1, maxItems: 16, description: 'What is asked for, one credential for each group.' },
  ),
  predicates: predicatesOf({}),
  biometricRequired: Type.Boolean({
    description: 'Whether the holder passes a face check before the result is shown; false unless it is set.',
    examples: [false],
  }),
}

/** No number of 32 bits is greater than the greatest, which one operator alone rules out. */
export const sentPredicates = predicatesOf({
  keptByCommand: { not: { properties: { operator: { const: '>' }, value: { const: INTEGER_MAX } } } },
})

export const templateSchema = recordOf('ProofTemplate', {
  id: words('Names the template.', 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z'),
  ...templateContent,
  description: wordsOrNull('What it is for, for people.', 'Name and age at the entrance'),
  status: words('active, or archived: no proof is requested with it any more.', 'active'),
  ...recordTimes,
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
    biometricRequired: record.biometricRequired ?? false,
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  }
}
