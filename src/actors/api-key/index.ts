import { Type } from 'typebox'
import { OPERATORS } from '../../domain/operators.ts'
import { defineKind } from '../define-kind.ts'
import { rowOfRecord } from '../rows.ts'
import { oneOf, orNull, storedRecord, text, time } from '../stored-fields.ts'
import { operatorApiKeyRoutes } from './routes.ts'
import { apiKeyDecider, apiKey, type ApiKeyTypes } from './rules.ts'

const ratePerMinute = orNull(Type.Integer({ minimum: 1 }))
const created = { tenant: text, label: text, lastFour: text, secretHash: text, ratePerMinute }

/** Keys of the backends of organisations. */
export const apiKeyKind = defineKind<ApiKeyTypes>({
  references: apiKey,
  isCopied: true,
  decider: apiKeyDecider,
  ...storedRecord({
    events: { ApiKeyCreated: created, ApiKeyRevoked: {}, ApiKeyRateSet: { ratePerMinute } },
    records: [
      { status: oneOf(['active', 'revoked']), ...created, createdAtMs: time, revokedAtMs: orNull(time) },
    ],
  }),
  listed: {
    list: 'api-key',
    row: ({ tenant: tenantId, label, ...record }) => {
      const updatedAtMs = record.revokedAtMs ?? record.createdAtMs
      const ofOperators = { ...record, updatedAtMs, tenant: OPERATORS }
      return rowOfRecord(ofOperators, { filters: { tenantId }, texts: [label] })
    },
  },
  routes: operatorApiKeyRoutes,
})
