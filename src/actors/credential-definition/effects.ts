import { attemptOf } from '../../domain/publishing.ts'
import { AnonCredsRefused } from '../../ports/anoncreds.ts'
import { LedgerRefused } from '../../ports/ledger.ts'
import { askForEndorsement } from '../endorsement/ask.ts'
import type { KindPorts } from '../kind-ports.ts'
import { authorOf } from '../tenant/author.ts'
import {
  credentialDefinition,
  type DefinitionCommand,
  type DefinitionEffect,
  type DefinitionRecord,
} from './rules.ts'

type Ports = Pick<KindPorts, 'actors' | 'anoncreds' | 'ledger' | 'runtime' | 'signerOf'>

/** What a definition owes: its keys, the word of an operator where that is wanted, then its publication. */
export const performDefinitionEffect = async (
  ports: Ports,
  { kind, definition }: DefinitionEffect,
  id: string,
): Promise<DefinitionCommand> => {
  try {
    if (kind === 'generate-keys') return await generate(ports, definition, id)
    return kind === 'publish-definition' ? await publish(ports, definition) : await ask(ports, definition, id)
  } catch (error) {
    if (!(error instanceof LedgerRefused || error instanceof AnonCredsRefused)) throw error
    return { type: 'RecordDefinitionRefused', atMs: ports.runtime.now(), reason: error.message }
  }
}

const generate = async (
  ports: Ports,
  definition: DefinitionRecord,
  id: string,
): Promise<DefinitionCommand> => {
  const { actors, runtime } = ports
  const { tenant, schema, tag } = definition
  const { did } = await authorOf(ports, tenant)
  const order = { schemaId: schema.ledgerId, issuerId: did, tag, attributes: schema.attributes }
  const note = (type: 'RecordKeysBegun' | 'RecordKeysQueued'): void => {
    const options = { commandId: `${type}:${runtime.newId()}`, tenant: null }
    // Only what is shown of it depends on this.
    actors.ask(credentialDefinition.ref(id), { type, atMs: runtime.now() }, options).catch(() => undefined)
  }
  // An attempt that a crash cut off may have had its turn, and this one waits for its own.
  if (typeof definition.keysBegunAtMs === 'number') note('RecordKeysQueued')
  const made = await ports.anoncreds
    .generateDefinition(tenant, order, () => note('RecordKeysBegun'))
    .catch((error: unknown) => {
      note('RecordKeysQueued')
      throw error
    })
  return {
    type: 'RecordKeysGenerated',
    atMs: runtime.now(),
    publicPart: made.credentialDefinition,
    keyCorrectnessProof: made.keyCorrectnessProof,
    privatePart: made.credentialDefinitionPrivate,
  }
}

const ask = async (ports: Ports, definition: DefinitionRecord, id: string): Promise<DefinitionCommand> => {
  const { tenant } = definition
  const attempt = attemptOf(definition)
  await askForEndorsement(ports, { tenant, recordType: 'credential_definition', recordId: id, attempt })
  return { type: 'RecordEndorsementAwaited', atMs: ports.runtime.now(), attempt }
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
