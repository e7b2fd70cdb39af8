import type { Directory } from '../../ports/directory.ts'
import type { Refused } from '../../domain/refused.ts'
import type { ApiKeyRecord } from '../api-key/rules.ts'
import type { TenantRecord } from './rules.ts'
import type { ApiKeyOrder, CreatedApiKey } from '../api-key/commands.ts'

type Refusable<Value> = Promise<Value | Refused>

/** What the routes of the operators call; composed outside. */
export type OperatorApi = {
  readonly directory: Directory
  readonly newTenantId: () => string
  readonly isTenantId: (text: string) => boolean
  readonly createTenant: (name: string, id: string) => Refusable<TenantRecord>
  readonly tenant: (id: string) => Refusable<TenantRecord>
  readonly suspendTenant: (id: string) => Refusable<TenantRecord>
  readonly resumeTenant: (id: string) => Refusable<TenantRecord>
  readonly newApiKeyId: () => string
  readonly createApiKey: (order: ApiKeyOrder, id: string) => Refusable<CreatedApiKey>
  readonly apiKey: (id: string) => Refusable<ApiKeyRecord>
  readonly setApiKeyRate: (id: string, ratePerMinute: number | null) => Refusable<ApiKeyRecord>
  readonly revokeApiKey: (id: string) => Refusable<ApiKeyRecord>
}
