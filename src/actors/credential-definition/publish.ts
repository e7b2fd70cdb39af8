import type { DefinitionReply, PublicDefinition } from './rules.ts'
import type { SchemaRecord, SchemaReply } from '../schema/rules.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { definitionIdOf, schemaIdOf } from '../ids.ts'
import { readTenant } from '../tenant/read.ts'
import type { UseCasePorts } from '../command-ports.ts'

type Ordered<Name extends string, Value> = Promise<({ readonly id: string } & Record<Name, Value>) | Refused>

/** Ordered again under the same name and version, it is the same schema. */
export const publishSchema = async (
  ports: UseCasePorts,
  order: { tenant: string; name: string; version: string; attributes: readonly string[] },
): Ordered<'schema', SchemaRecord> => {
  const tenant = await readTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  const id = schemaIdOf(order.tenant, order.name, order.version)
  const reply = await ask<SchemaReply>(ports, id, { type: 'PublishSchema', ...order })
  return 'schema' in reply ? { id, schema: reply.schema } : reply
}

/** For a published schema of the tenant; its keys take seconds to minutes to make. */
export const publishDefinition = async (
  ports: UseCasePorts,
  order: { tenant: string; schemaId: string; tag: string },
): Ordered<'definition', PublicDefinition> => {
  const tenant = await readTenant(ports, order.tenant)
  if (isRefused(tenant)) return tenant
  const unknown = refuse('not_found', 'There is no schema with this schemaId.')
  if (shardOf(order.schemaId) === null || kindOf(order.schemaId) !== 'sch') return unknown
  const found = await ask<SchemaReply>(ports, order.schemaId, { type: 'ReadSchema' })
  if (!('schema' in found) || found.schema.tenant !== order.tenant) return unknown
  const { status, ledgerId, seqNo, name, version, attributes } = found.schema
  if (status !== 'published' || ledgerId === null || seqNo === null)
    return refuse('invalid_request', `The schema is ${status}; it must be published first.`)
  const id = definitionIdOf(order.tenant, { did: tenant.did, schemaSeqNo: seqNo, tag: order.tag })
  const schema = { id: order.schemaId, ledgerId, seqNo, name, version, attributes }
  const command = { type: 'PublishDefinition', tenant: order.tenant, schema, tag: order.tag }
  const reply = await ask<DefinitionReply>(ports, id, command)
  return 'definition' in reply ? { id, definition: reply.definition } : (reply as Refused)
}

const ask = <Reply>(
  ports: UseCasePorts,
  actor: string,
  command: { readonly type: string; readonly [field: string]: unknown },
): Promise<Reply> =>
  ports.actors.ask<Reply>(
    actor,
    { ...command, atMs: ports.runtime.now() },
    {
      commandId: `${command.type}:${ports.runtime.newId()}`,
      timeoutMs: ports.askTimeoutMs,
      tenant: null,
    },
  )
