import { TENANT } from './effects.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import type { TenantRecord, TenantReply } from './rules.ts'
import type { UseCasePorts } from '../command-ports.ts'

type Ports = Pick<UseCasePorts, 'actors'> & { readonly askTimeoutMs?: number }

export const readTenant = async (
  { actors, askTimeoutMs = 5_000 }: Ports,
  tenant: string,
): Promise<TenantRecord | Refused> => {
  if (shardOf(tenant) === null || kindOf(tenant) !== TENANT)
    return refuse('not_found', 'There is no organisation with this id.')
  const options = { commandId: '', timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<TenantReply>(tenant, { type: 'ReadTenant' }, options)
  return 'tenant' in reply ? reply.tenant : reply
}

/** A tenant that may begin something new; a suspended one may not. */
export const activeTenant = async (ports: Ports, tenant: string): Promise<TenantRecord | Refused> => {
  const read = await readTenant(ports, tenant)
  if (isRefused(read)) return refuse('forbidden', 'The organisation of this credential does not exist.')
  if (read.status === 'active') return read
  return refuse('forbidden', 'The organisation is suspended; ask the operator of the service.')
}
