import { attemptOf } from '../../domain/publishing.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import { askForEndorsement } from '../endorsement/ask.ts'
import type { KindPorts } from '../kind-ports.ts'
import { authorOf } from '../tenant/author.ts'
import type { SchemaCommand, SchemaEffect, SchemaRecord } from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'ledger' | 'runtime' | 'signerOf'>

/** What a schema owes: the word of an operator where that is wanted, then its publication. */
export const performSchemaEffect = async (
  ports: Ports,
  { kind, schema }: SchemaEffect,
  id: string,
): Promise<SchemaCommand> => {
  if (kind === 'publish-schema') return publish(ports, schema)
  const attempt = attemptOf(schema)
  await askForEndorsement(ports, { tenant: schema.tenant, recordType: 'schema', recordId: id, attempt })
  return { type: 'RecordEndorsementAwaited', atMs: ports.runtime.now(), attempt }
}

const publish = async (ports: Ports, schema: SchemaRecord): Promise<SchemaCommand> => {
  const { tenant, name, version, attributes } = schema
  try {
    const author = await authorOf(ports, tenant)
    const { id, seqNo } = await ports.ledger.publishSchema(author, { name, version, attributes })
    return { type: 'RecordSchemaPublished', atMs: ports.runtime.now(), ledgerId: id, seqNo }
  } catch (error) {
    if (!(error instanceof LedgerRefused)) throw error
    return { type: 'RecordSchemaRefused', atMs: ports.runtime.now(), reason: error.message }
  }
}
