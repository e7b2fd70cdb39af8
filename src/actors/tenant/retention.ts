import { isRefused, type Refused } from '../../domain/refused.ts'
import type { TenantReply } from './rules.ts'
import { readTenant } from './read.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type Retention = { readonly retentionDays: number; readonly changedAtMs: number | null }

export const readRetention = async (ports: UseCasePorts, tenant: string): Promise<Retention | Refused> => {
  const read = await readTenant(ports, tenant)
  return isRefused(read) ? read : shown(read)
}

export const setRetention = async (
  { actors, askTimeoutMs, runtime }: UseCasePorts,
  tenant: string,
  retentionDays: number,
): Promise<Retention | Refused> => {
  const command = { type: 'SetRetention', atMs: runtime.now(), retentionDays }
  const options = { commandId: `retention:${runtime.newId()}`, timeoutMs: askTimeoutMs, tenant }
  const reply = await actors.ask<TenantReply>(tenant, command, options)
  return 'tenant' in reply ? shown(reply.tenant) : reply
}

const shown = (tenant: { retentionDays: number; retentionChangedAtMs: number | null }): Retention => ({
  retentionDays: tenant.retentionDays,
  changedAtMs: tenant.retentionChangedAtMs,
})
