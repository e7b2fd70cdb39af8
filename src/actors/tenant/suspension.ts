import { isRefused, type Refused } from '../../domain/refused.ts'
import type { TenantRecord, TenantReply } from './rules.ts'
import { readTenant } from './read.ts'
import type { UseCasePorts } from '../command-ports.ts'

/** Its keys and sessions are refused from the next request on; messages of its holders and timers go on. */
export const suspendTenant = (ports: UseCasePorts, id: string): Promise<TenantRecord | Refused> =>
  order(ports, id, 'SuspendTenant')

export const resumeTenant = (ports: UseCasePorts, id: string): Promise<TenantRecord | Refused> =>
  order(ports, id, 'ResumeTenant')

const order = async (
  ports: UseCasePorts,
  id: string,
  type: 'SuspendTenant' | 'ResumeTenant',
): Promise<TenantRecord | Refused> => {
  const known = await readTenant(ports, id)
  if (isRefused(known)) return known
  const { actors, runtime, askTimeoutMs } = ports
  const options = { commandId: runtime.newId(), timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<TenantReply>(id, { type, atMs: runtime.now() }, options)
  return 'tenant' in reply ? reply.tenant : reply
}
