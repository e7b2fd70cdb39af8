import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { refOfNames } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { countLedgerWrite } from '../ledger-ceiling/commands.ts'
import { readTenant } from '../tenant/read.ts'
import { endorsementModeOf } from '../tenant/rules.ts'
import { schema, schemaProblem, type SchemaRecord } from './rules.ts'

export type SchemaOrder = Pick<SchemaRecord, 'tenant' | 'name' | 'version' | 'attributes'>

/** Ordered again under the same name and version, it is the same schema, and no further write of the day. */
export const publishSchema = async (
  ports: Pick<ApiPorts, 'actors' | 'runtime'>,
  order: SchemaOrder,
): Promise<{ readonly id: string; readonly schema: SchemaRecord } | Refused> => {
  const { actors, runtime } = ports
  const tenant = await readTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  const id = refOfNames(schema, [order.tenant, order.name, order.version])
  if (isRefused(await actors.read(id))) {
    const problem = schemaProblem(order)
    if (problem !== null) return refuse('invalid_request', problem)
    const counted = await countLedgerWrite(ports, order.tenant, `${id}:1`)
    if (isRefused(counted)) return counted
  }
  const endorsement = endorsementModeOf(tenant)
  const command = { type: 'PublishSchema', atMs: runtime.now(), ...order, endorsement } as const
  const commandId = `PublishSchema:${runtime.newId()}`
  const record = await actors.ask(id, command, { commandId, tenant: null })
  return isRefused(record) ? record : { id, schema: record }
}
