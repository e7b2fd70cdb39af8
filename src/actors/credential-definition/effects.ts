import {
  type DefinitionCommand,
  definitionDecider,
  type DefinitionEffect,
  type DefinitionEvent,
  type DefinitionReply,
  type DefinitionState,
  type PublicDefinition,
} from './rules.ts'
import { type AnonCreds, AnonCredsRefused } from '../../ports/anoncreds.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { type Ledger, LedgerRefused } from '../../ports/ledger.ts'
import type { Runtime } from '../../ports/runtime.ts'
import { type AuthorPorts, authorOf } from '../tenant/author.ts'
import { definitionEvents, definitionSnapshots } from './stored.ts'

export const DEFINITION = 'def'

export type DefinitionPorts = AuthorPorts & {
  readonly ledger: Pick<Ledger, 'publishDefinition'>
  readonly anoncreds: Pick<AnonCreds, 'generateDefinition'>
  readonly runtime: Pick<Runtime, 'now'>
}

export const definitionActor = (
  ports: DefinitionPorts,
): OldActorDefinition<
  DefinitionState,
  DefinitionCommand,
  DefinitionEvent,
  DefinitionReply,
  DefinitionEffect
> =>
  defineActor({
    kind: DEFINITION,
    decider: definitionDecider,
    events: definitionEvents,
    snapshots: definitionSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      if (first.type !== 'PublishDefinition')
        throw new Error(`a definition does not begin with ${first.type}`)
      return { tenant: first.tenant, connection: null }
    },
    erased: () => false,
    perform: async ({ kind, definition }) => {
      try {
        return kind === 'generate-keys' ? await generate(ports, definition) : await publish(ports, definition)
      } catch (error) {
        if (!(error instanceof LedgerRefused || error instanceof AnonCredsRefused)) throw error
        return { type: 'RecordDefinitionRefused', atMs: ports.runtime.now(), reason: error.message }
      }
    },
    onTimer: (timerId) => {
      throw new Error(`a definition has no timer ${timerId}`)
    },
  })

const generate = async (ports: DefinitionPorts, definition: PublicDefinition): Promise<DefinitionCommand> => {
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

const publish = async (ports: DefinitionPorts, definition: PublicDefinition): Promise<DefinitionCommand> => {
  const author = await authorOf(ports, definition.tenant)
  const { value } = JSON.parse(definition.keys?.publicPart ?? '{}') as { value: Record<string, unknown> }
  const { id } = await ports.ledger.publishDefinition(author, {
    schemaSeqNo: definition.schema.seqNo,
    tag: definition.tag,
    value,
  })
  return { type: 'RecordDefinitionPublished', atMs: ports.runtime.now(), ledgerId: id }
}
