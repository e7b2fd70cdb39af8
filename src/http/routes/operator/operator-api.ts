import type { Directory } from '../../../actors/directory-port.ts'
import type { Refused } from '../../../domain/refused.ts'
import type { ApiKeyRecord } from '../../../domain/tenants/api-key.ts'
import type { TenantRecord } from '../../../domain/tenants/tenant.ts'
import type { CreatedApiKey } from '../../../use-cases/api-keys.ts'

type Refusable<Value> = Promise<Value | Refused>

/** What the routes of the operators call; composed outside. */
export type OperatorApi = {
  readonly directory: Directory
  readonly newTenantId: () => string
  readonly createTenant: (name: string, id: string) => Refusable<TenantRecord>
  readonly tenant: (id: string) => Refusable<TenantRecord>
  readonly suspendTenant: (id: string) => Refusable<TenantRecord>
  readonly resumeTenant: (id: string) => Refusable<TenantRecord>
  readonly createApiKey: (
    tenantId: string,
    label: string,
    ratePerMinute: number | null,
  ) => Refusable<CreatedApiKey>
  readonly apiKey: (id: string) => Refusable<ApiKeyRecord>
  readonly revokeApiKey: (id: string) => Refusable<ApiKeyRecord>
}
