import { Type } from 'typebox'
import type { Directory } from '../../ports/directory.ts'
import { TENANT } from './effects.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { listPage } from '../../http/route/list.ts'
import { exact } from '../../http/route/fields.ts'
import { apiKeyView, tenantView } from './record.ts'
import type { OperatorApi } from './operator-api.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { createApiKey, newApiKeyId, readApiKey, revokeApiKey, setApiKeyRate } from '../api-key/commands.ts'
import { type CreateTenantPorts, createTenant } from './create.ts'
import { newRecordId } from '../ids.ts'
import { readTenant } from './read.ts'
import { resumeTenant, suspendTenant } from './suspension.ts'
import type { TenantStanding } from './active-tenants.ts'
import { command, type Commands, text } from '../../compose/command.ts'

/** What the operators' routes call. */
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

const rate = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const page = Type.Integer({ minimum: 1, maximum: 100_000 })
const PAGE_SIZE = 100

/** Organisations and their keys, as the command line orders it. */
export const organisationCommands = (
  ports: CreateTenantPorts,
  directory: Directory,
  standing: TenantStanding,
): Commands => {
  const api = operatorApi(ports, directory, standing)
  const shown = async (id: string, read: Promise<Awaited<ReturnType<typeof api.tenant>>>) => {
    const tenant = await read
    return isRefused(tenant) ? tenant : tenantView(id, tenant)
  }
  return {
    'tenant create': command(exact({ name: text }), async ({ name }) => {
      const made = await createTenant(ports, name)
      return isRefused(made) ? made : { id: made.id, did: made.did }
    }),
    'tenant show': command(exact({ id: text }), ({ id }) => shown(id, api.tenant(id))),
    'tenant suspend': command(exact({ tenant: text }), ({ tenant }) =>
      shown(tenant, api.suspendTenant(tenant)),
    ),
    'tenant resume': command(exact({ tenant: text }), ({ tenant }) =>
      shown(tenant, api.resumeTenant(tenant)),
    ),
    'tenant list': command(exact({ page }), (order) =>
      listed(directory, { kind: 'tenant', filters: {}, page: order.page }, (id) => shown(id, api.tenant(id))),
    ),
    ...keyCommands(ports, api),
  }
}

const keyCommands = (ports: CreateTenantPorts, api: OperatorApi): Commands => {
  const shown = async (id: string) => {
    const found = await api.apiKey(id)
    return isRefused(found) ? found : apiKeyView(id, found)
  }
  return {
    'key create': command(exact({ tenant: text, label: text }), async ({ tenant, label }) => {
      const made = await createApiKey(ports, { tenant, label }, newApiKeyId(ports.runtime))
      return isRefused(made) ? made : { id: made.id, key: made.key }
    }),
    'key list': command(exact({ tenant: text, page }), async (order) => {
      const tenant = await api.tenant(order.tenant)
      if (isRefused(tenant)) return tenant
      const of = { kind: 'api-key', filters: { tenantId: order.tenant }, page: order.page } as const
      return listed(api.directory, of, shown)
    }),
    'key revoke': command(exact({ id: text }), async ({ id }) => {
      const revoked = await api.revokeApiKey(id)
      return isRefused(revoked) ? revoked : { id, status: revoked.status }
    }),
    'key rate': command(exact({ id: text, perMinute: Type.Union([rate, Type.Null()]) }), async (order) => {
      const set = await api.setApiKeyRate(order.id, order.perMinute)
      return isRefused(set) ? set : { id: order.id, perMinute: set.ratePerMinute }
    }),
  }
}

type Listed = {
  readonly kind: 'tenant' | 'api-key'
  readonly filters: Readonly<Record<string, string>>
  readonly page: number
}

const listed = async <Item extends object>(
  directory: Directory,
  { kind, filters, page: number }: Listed,
  show: (id: string) => Promise<Item | Refused>,
): Promise<object | Refused> => {
  const request = { page: number, pageSize: PAGE_SIZE }
  const found = await listPage(directory, { tenant: OPERATORS, kind, filters }, request, async (id) => {
    const item = await show(id)
    return isRefused(item) ? null : item
  })
  return 'problem' in found ? refuse('invalid_request', found.reason) : found
}
