import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { event, oneOf, orNull, text, time } from '../stored-fields.ts'
import { operatorApiKeyRoutes } from './routes.ts'
import { apiKeyDecider, apiKeys, type ApiKeyTypes } from './rules.ts'

const ratePerMinute = orNull(Type.Integer({ minimum: 1 }))
const created = { tenant: text, label: text, lastFour: text, secretHash: text, ratePerMinute }

/** Keys of the backends of organisations. */
export const apiKeyKind = defineKind<ApiKeyTypes>({
  references: apiKeys,
  decider: apiKeyDecider,
  events: eventCodec({
    ApiKeyCreated: { version: 1, schema: event('ApiKeyCreated', created) },
    ApiKeyRevoked: { version: 1, schema: event('ApiKeyRevoked', {}) },
    ApiKeyRateSet: { version: 1, schema: event('ApiKeyRateSet', { ratePerMinute }) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Union([
      Type.Object({ status: Type.Literal('none') }),
      Type.Object({
        status: oneOf(['active', 'revoked']),
        ...created,
        createdAtMs: time,
        revokedAtMs: orNull(time),
      }),
    ]),
  }),
  listed: {
    list: 'api-key',
    row: (_, { tenant: tenantId, label, ...apiKey }) => {
      const updatedAtMs = apiKey.revokedAtMs ?? apiKey.createdAtMs
      const ofOperators = { ...apiKey, updatedAtMs, tenant: OPERATORS }
      return rowOfRecord(ofOperators, { filters: { tenantId }, texts: [label] })
    },
  },
  routes: operatorApiKeyRoutes,
})
