import { OPERATORS } from '../../domain/operators.ts'
import type { DirectoryRow } from '../../ports/directory.ts'
import { isRefused } from '../../domain/refused.ts'
import { readApiKey } from '../api-key/commands.ts'
import { readTenant } from './read.ts'
import type { UseCasePorts } from '../command-ports.ts'

type Ports = Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>

/** How the operators' list finds an organisation. */
export const tenantRowOf = async (ports: Ports, id: string): Promise<DirectoryRow | null> => {
  const tenant = await readTenant(ports, id)
  if (isRefused(tenant)) return null
  const { status: state, name, createdAtMs, updatedAtMs } = tenant
  const listed = { tenant: OPERATORS, kind: 'tenant', id, state, createdAtMs, updatedAtMs } as const
  return { ...listed, filters: {}, externalId: null, searchText: name }
}

/** How the operators' list finds a key. */
export const apiKeyRowOf = async (ports: Ports, id: string): Promise<DirectoryRow | null> => {
  const apiKey = await readApiKey(ports, id)
  if (isRefused(apiKey)) return null
  const { status: state, label, tenant: tenantId, createdAtMs, revokedAtMs } = apiKey
  const times = { createdAtMs, updatedAtMs: revokedAtMs ?? createdAtMs }
  const listed = { tenant: OPERATORS, kind: 'api-key', id, state, ...times } as const
  return { ...listed, filters: { tenantId }, externalId: null, searchText: label }
}
