import { type TSchema, Type } from 'typebox'
import { COUNT_PATTERN, EXPIRES_AT, READ_TWO_WAYS_PATTERN } from '../../domain/attributes.ts'
import { limits } from '../../domain/limits.ts'
import { exact, externalId } from '../../http/route/fields.ts'
import { biometricInput, connectionIdText } from '../exchange-fields.ts'
import { EXAMPLE_ATTRIBUTES } from './record.ts'

export const OFFER_PATH = '/v1/credentials/offer'

/** What an offer says whether it comes by itself or among many; `attributes` says by what rules they are kept. */
export const offerFields = <Attributes extends TSchema>(attributes: Attributes) => ({
  connectionId: connectionIdText,
  credentialDefinitionId: Type.String({
    minLength: 1,
    maxLength: limits.ledgerIdCharactersMax,
    description: 'What is issued: the catalogue id or the ledger id of a published definition.',
    examples: ['def_c20a4b6d8f1e3c5a7b9d0f2e4c'],
  }),
  attributes,
  externalId: Type.Optional(externalId),
})

export const ATTRIBUTES = {
  description: `A value for every attribute of the schema, as text; \`expiresAt\` is Unix seconds in the future. At most ${limits.attributesMax}.`,
  examples: [EXAMPLE_ATTRIBUTES],
}

const attributeValue = Type.String({ keptByCommand: { not: { pattern: READ_TWO_WAYS_PATTERN } } })

export const offerBody = exact({
  ...offerFields(
    Type.Record(Type.String(), attributeValue, {
      ...ATTRIBUTES,
      keptByCommand: {
        required: [EXPIRES_AT],
        properties: {
          [EXPIRES_AT]: {
            type: 'string',
            pattern: COUNT_PATTERN,
            description: 'When the credential ends, in Unix seconds.',
            examples: [EXAMPLE_ATTRIBUTES.expiresAt],
          },
        },
        maxProperties: limits.attributesMax,
        propertyNames: { maxLength: limits.attributeNameCharactersMax },
      },
    }),
  ),
  biometric: Type.Optional(biometricInput),
})
