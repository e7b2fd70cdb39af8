import { isRefused, type Refused } from '../../domain/decider.ts'
import { refOfNames } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readTenant } from '../tenant/read.ts'
import { schema, type SchemaRecord } from './rules.ts'

export type SchemaOrder = Pick<SchemaRecord, 'tenant' | 'name' | 'version' | 'attributes'>

/** Ordered again under the same name and version, it is the same schema. */
export const publishSchema = async (
  ports: Pick<ApiPorts, 'actors' | 'runtime'>,
  order: SchemaOrder,
): Promise<{ readonly id: string; readonly schema: SchemaRecord } | Refused> => {
  const { actors, runtime } = ports
  const tenant = await readTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  const id = refOfNames(schema, [order.tenant, order.name, order.version])
  const command = { type: 'PublishSchema', atMs: runtime.now(), ...order } as const
  const commandId = `PublishSchema:${runtime.newId()}`
  const record = await actors.ask(id, command, { commandId, tenant: null })
  return isRefused(record) ? record : { id, schema: record }
}
