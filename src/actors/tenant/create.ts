import { randomBytes } from 'node:crypto'
import { TENANT } from './effects.ts'
import { type Refused, refuse } from '../../domain/refused.ts'
import type { TenantRecord, TenantReply } from './rules.ts'
import { newRecordId } from '../ids.ts'
import type { UseCasePorts } from '../command-ports.ts'

export type CreateTenantPorts = UseCasePorts & {
  /** Name and key on the ledger that belong to a seed. */
  readonly identityOf: (seed: Uint8Array) => { readonly did: string; readonly verkey: string }
}

export const createTenant = async (
  ports: CreateTenantPorts,
  name: string,
  id: string = newRecordId(TENANT, ports.runtime),
): Promise<{ readonly id: string; readonly did: string; readonly tenant: TenantRecord } | Refused> => {
  if (name.trim() === '' || Array.from(name).length > 200)
    return refuse('invalid_request', 'name must have 1 to 200 characters.')
  const seed = randomBytes(32)
  const { did, verkey } = ports.identityOf(seed)
  const command = {
    type: 'CreateTenant',
    atMs: ports.runtime.now(),
    name,
    did,
    verkey,
    seed: seed.toString('base64url'),
  }
  const options = { commandId: `create:${id}`, timeoutMs: ports.askTimeoutMs, tenant: null }
  const reply = await ports.actors.ask<TenantReply>(id, command, options)
  // The one that is there already, when this came before.
  return 'tenant' in reply ? { id, did: reply.tenant.did, tenant: reply.tenant } : reply
}
