import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { countLedgerWrite } from '../ledger-ceiling/commands.ts'
import { ownRecord } from '../own-record.ts'
import { schema } from '../schema/rules.ts'
import { readTenant } from '../tenant/read.ts'
import { endorsementModeOf } from '../tenant/rules.ts'
import { definitionNamed } from './catalogue.ts'
import { type DefinitionRecord, tagProblem } from './rules.ts'

export type DefinitionOrder = { readonly tenant: string; readonly schemaId: string; readonly tag: string }

/**
 * For a published schema of the tenant; its keys take seconds to minutes to make. The same schema and tag again are the
 * same definition, and no further write of the day.
 */
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
  if (ledgerId === null || seqNo === null) return notPublished(status)
  const id = definitionNamed(tenant, { did: known.did, schemaSeqNo: seqNo, tag })
  if (isRefused(await actors.read(id))) {
    if (status !== 'published') return notPublished(status)
    const problem = tagProblem(tag)
    if (problem !== null) return refuse('invalid_request', problem)
    const counted = await countLedgerWrite(ports, tenant, `${id}:1`)
    if (isRefused(counted)) return counted
  }
  const command = {
    type: 'PublishDefinition',
    atMs: runtime.now(),
    tenant,
    schema: { id: schemaId, ledgerId, seqNo, name, version, attributes },
    tag,
    endorsement: endorsementModeOf(known),
  } as const
  const commandId = `PublishDefinition:${runtime.newId()}`
  const definition = await actors.ask(id, command, { commandId, tenant: null })
  return isRefused(definition) ? definition : { id, definition }
}

const notPublished = (status: string): Refused =>
  refuse('schema_not_published', `The schema is ${status}; it must be published.`)
