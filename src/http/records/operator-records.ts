import { type Static, Type } from 'typebox'
import type { ApiKeyRecord } from '../../domain/tenants/api-key.ts'
import type { TenantRecord } from '../../domain/tenants/tenant.ts'
import { dateTime, dateTimeOrNull, exact, isoTime, textOrNull } from './fields.ts'

export const tenantSchema = exact({
  id: Type.String(),
  name: Type.String(),
  status: Type.Unsafe<TenantRecord['status']>({ type: 'string', enum: ['active', 'suspended'] }),
  did: Type.String({ description: 'Its identifier on the ledger' }),
  registered: Type.Boolean({ description: 'Whether the ledger has the identifier' }),
  lastError: textOrNull,
  createdAt: dateTime,
  updatedAt: dateTime,
})

export const tenantView = (id: string, tenant: TenantRecord): Static<typeof tenantSchema> => ({
  id,
  name: tenant.name,
  status: tenant.status,
  did: tenant.did,
  registered: tenant.registered,
  lastError: tenant.lastError,
  createdAt: isoTime(tenant.createdAtMs),
  updatedAt: isoTime(tenant.updatedAtMs),
})

const apiKeyFields = {
  id: Type.String(),
  tenantId: Type.String(),
  label: Type.String(),
  prefix: Type.String(),
  lastFour: Type.String(),
  status: Type.Unsafe<ApiKeyRecord['status']>({ type: 'string', enum: ['active', 'revoked'] }),
  ratePerMinute: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
    description: 'Requests in any minute; null: as many as every key may make',
  }),
  createdAt: dateTime,
  revokedAt: dateTimeOrNull,
}

export const apiKeySchema = exact(apiKeyFields)
export const apiKeyWithSecretSchema = exact({ ...apiKeyFields, key: Type.String() })

export const apiKeyView = (id: string, apiKey: ApiKeyRecord): Static<typeof apiKeySchema> => ({
  id,
  tenantId: apiKey.tenant,
  label: apiKey.label,
  prefix: 'svc_sk_',
  lastFour: apiKey.lastFour,
  status: apiKey.status,
  ratePerMinute: apiKey.ratePerMinute,
  createdAt: isoTime(apiKey.createdAtMs),
  revokedAt: apiKey.revokedAtMs === null ? null : isoTime(apiKey.revokedAtMs),
})
