import { AnonCredsRefused } from '../../ports/anoncreds.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import type { KindPorts } from '../kind-ports.ts'
import { authorOf } from '../tenant/author.ts'
import type { DefinitionCommand, DefinitionEffect, DefinitionRecord } from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'anoncreds' | 'ledger' | 'runtime' | 'signerOf'>

/** What a definition owes: its keys first, then its publication. */
export const performDefinitionEffect = async (
  ports: Ports,
  { kind, definition }: DefinitionEffect,
): Promise<DefinitionCommand> => {
  try {
    return kind === 'generate-keys' ? await generate(ports, definition) : await publish(ports, definition)
  } catch (error) {
    if (!(error instanceof LedgerRefused || error instanceof AnonCredsRefused)) throw error
    return { type: 'RecordDefinitionRefused', atMs: ports.runtime.now(), reason: error.message }
  }
}

const generate = async (ports: Ports, definition: DefinitionRecord): Promise<DefinitionCommand> => {
  const { tenant, schema, tag } = definition
  const { did } = await authorOf(ports, tenant)
  const order = { schemaId: schema.ledgerId, issuerId: did, tag, attributes: schema.attributes }
  const made = await ports.anoncreds.generateDefinition(tenant, order)
  return {
    type: 'RecordKeysGenerated',
    atMs: ports.runtime.now(),
    publicPart: made.credentialDefinition,
    keyCorrectnessProof: made.keyCorrectnessProof,
    privatePart: made.credentialDefinitionPrivate,
  }
}

const publish = async (ports: Ports, definition: DefinitionRecord): Promise<DefinitionCommand> => {
  const author = await authorOf(ports, definition.tenant)
  const { value } = JSON.parse(definition.keys?.publicPart ?? '{}') as { value: Record<string, unknown> }
  const { id } = await ports.ledger.publishDefinition(author, {
    schemaSeqNo: definition.schema.seqNo,
    tag: definition.tag,
    value,
  })
  return { type: 'RecordDefinitionPublished', atMs: ports.runtime.now(), ledgerId: id }
}
