import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { schema } from '../schema/rules.ts'
import { readTenant } from '../tenant/read.ts'
import { definitionNamed } from './catalogue.ts'
import type { DefinitionRecord } from './rules.ts'

export type DefinitionOrder = { readonly tenant: string; readonly schemaId: string; readonly tag: string }

/** For a published schema of the tenant; its keys take seconds to minutes to make. */
export const publishDefinition = async (
  ports: Pick<ApiPorts, 'actors' | 'runtime'>,
  { tenant, schemaId, tag }: DefinitionOrder,
): Promise<{ readonly id: string; readonly definition: DefinitionRecord } | Refused> => {
  const { actors, runtime } = ports
  const known = await readTenant(ports, tenant)
  if (isRefused(known)) return known
  const found = await ownRecord(ports, schema, tenant, schemaId)
  if (found === null) return refuse('not_found', 'There is no schema with this schemaId.')
  const { status, ledgerId, seqNo, name, version, attributes } = found
  if (status !== 'published' || ledgerId === null || seqNo === null)
    return refuse('invalid_request', `The schema is ${status}; it must be published first.`)
  const id = definitionNamed(tenant, { did: known.did, schemaSeqNo: seqNo, tag })
  const command = {
    type: 'PublishDefinition',
    atMs: runtime.now(),
    tenant,
    schema: { id: schemaId, ledgerId, seqNo, name, version, attributes },
    tag,
  } as const
  const commandId = `PublishDefinition:${runtime.newId()}`
  const definition = await actors.ask(id, command, { commandId, tenant: null })
  return isRefused(definition) ? definition : { id, definition }
}
