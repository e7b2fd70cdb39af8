import { Type } from 'typebox'
import type { Directory } from '../../ports/directory.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { listPage } from '../../http/route/list.ts'
import { exact } from '../../http/route/fields.ts'
import { tenantView } from './record.ts'
import { apiKeyView } from '../api-key/record.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { createApiKey, readApiKey, revokeApiKey, setApiKeyRate } from '../api-key/commands.ts'
import { createTenant, resumeTenant, suspendTenant } from './commands.ts'
import { readTenant } from './read.ts'
import { command, type Commands, text } from '../../compose/command.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'identityOf' | 'activeTenants'>

const rate = Type.Integer({ minimum: 1, maximum: 1_000_000 })
const page = Type.Integer({ minimum: 1, maximum: 100_000 })
const PAGE_SIZE = 100

/** Organisations and their keys, as the command line orders it. */
export const organisationCommands = (ports: Ports): Commands => {
  const { directory } = ports
  const shown = async (id: string, read: ReturnType<typeof readTenant>) => {
    const tenant = await read
    return isRefused(tenant) ? tenant : tenantView(id, tenant)
  }
  return {
    'tenant create': command(exact({ name: text }), async ({ name }) => {
      const made = await createTenant(ports, name)
      return isRefused(made) ? made : { id: made.id, did: made.tenant.did }
    }),
    'tenant show': command(exact({ id: text }), ({ id }) => shown(id, readTenant(ports, id))),
    'tenant suspend': command(exact({ tenant: text }), ({ tenant }) =>
      shown(tenant, suspendTenant(ports, tenant)),
    ),
    'tenant resume': command(exact({ tenant: text }), ({ tenant }) =>
      shown(tenant, resumeTenant(ports, tenant)),
    ),
    'tenant list': command(exact({ page }), (order) =>
      listed(directory, { kind: 'tenant', filters: {}, page: order.page }, (id) =>
        shown(id, readTenant(ports, id)),
      ),
    ),
    ...keyCommands(ports),
  }
}

const keyCommands = (ports: Ports): Commands => {
  const shown = async (id: string) => {
    const found = await readApiKey(ports, id)
    return isRefused(found) ? found : apiKeyView(id, found)
  }
  return {
    'key create': command(exact({ tenant: text, label: text }), async ({ tenant, label }) => {
      const made = await createApiKey(ports, { tenant, label })
      return isRefused(made) ? made : { id: made.id, key: made.key }
    }),
    'key list': command(exact({ tenant: text, page }), async (order) => {
      const tenant = await readTenant(ports, order.tenant)
      if (isRefused(tenant)) return tenant
      const of = { kind: 'api-key', filters: { tenantId: order.tenant }, page: order.page } as const
      return listed(ports.directory, of, shown)
    }),
    'key revoke': command(exact({ id: text }), async ({ id }) => {
      const revoked = await revokeApiKey(ports, id)
      return isRefused(revoked) ? revoked : { id, status: revoked.status }
    }),
    'key rate': command(exact({ id: text, perMinute: Type.Union([rate, Type.Null()]) }), async (order) => {
      const set = await setApiKeyRate(ports, order.id, order.perMinute)
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
