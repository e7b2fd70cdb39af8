import type { Directory } from '../../ports/directory.ts'
import { TENANT } from './effects.ts'
import { isRefused, type Refused } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import type { ApiKeyRecord } from '../api-key/rules.ts'
import type { TenantRecord } from './rules.ts'
import {
  type ApiKeyOrder,
  type CreatedApiKey,
  createApiKey,
  newApiKeyId,
  readApiKey,
  revokeApiKey,
  setApiKeyRate,
} from '../api-key/commands.ts'
import { type CreateTenantPorts, createTenant } from './create.ts'
import { newRecordId } from '../ids.ts'
import { readTenant } from './read.ts'
import { resumeTenant, suspendTenant } from './suspension.ts'
import type { TenantStanding } from './active-tenants.ts'

type Refusable<Value> = Promise<Value | Refused>

/** What the routes of the operators call. */
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

export const operatorApi = (
  ports: CreateTenantPorts,
  directory: Directory,
  standing: TenantStanding,
): OperatorApi => ({
  directory,
  newTenantId: () => newRecordId(TENANT, ports.runtime),
  isTenantId: (id) => shardOf(id) !== null && kindOf(id) === TENANT,
  createTenant: async (name, id) => {
    const made = await createTenant(ports, name, id)
    return isRefused(made) ? made : made.tenant
  },
  tenant: (id) => readTenant(ports, id),
  suspendTenant: async (id) => {
    try {
      return await suspendTenant(ports, id)
    } finally {
      standing.forget(id)
    }
  },
  resumeTenant: (id) => resumeTenant(ports, id),
  newApiKeyId: () => newApiKeyId(ports.runtime),
  createApiKey: (order, id) => createApiKey(ports, order, id),
  apiKey: (id) => readApiKey(ports, id),
  setApiKeyRate: async (id, ratePerMinute) => {
    const known = await readApiKey(ports, id)
    if (isRefused(known)) return known
    const set = await setApiKeyRate(ports, id, ratePerMinute)
    return isRefused(set) ? set : set.apiKey
  },
  revokeApiKey: async (id) => {
    const known = await readApiKey(ports, id)
    if (isRefused(known)) return known
    const revoked = await revokeApiKey(ports, id)
    return isRefused(revoked) ? revoked : revoked.apiKey
  },
})
