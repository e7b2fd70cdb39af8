import { LRUCache } from 'lru-cache'
import type { Catalogue, IssuingDefinition } from './catalogue-port.ts'
import { DEFINITION } from './effects.ts'
import type { Ledger, LedgerDefinition, LedgerSchema } from '../../ports/ledger.ts'
import type { Actors } from '../../ports/actors.ts'
import type { DefinitionReply, PublicDefinition } from './rules.ts'
import { definitionNameOf } from '../../domain/ledger-names.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { definitionIdOf } from '../ids.ts'

type Ports = {
  readonly actors: Actors
  readonly ledger: Pick<Ledger, 'readSchema' | 'readDefinition'>
  readonly askTimeoutMs: number
  /** Public parts are up to 100 KB each. */
  readonly cachedMax: number
}

/** What exchanges need of schemas and definitions: of our own from their actors, of other issuers from the ledger. */
export const createCatalogue = (ports: Ports): Catalogue => {
  const own = new LRUCache<string, { readonly tenant: string; readonly issuing: IssuingDefinition }>({
    max: ports.cachedMax,
  })
  const foreign = new LRUCache<string, { readonly schema: string; readonly definition: string }>({
    max: ports.cachedMax,
  })
  const read = <Reply>(id: string, type: string): Promise<Reply> =>
    ports.actors.ask<Reply>(id, { type }, { commandId: '', timeoutMs: ports.askTimeoutMs, tenant: null })
  return {
    definition: async (tenant, named) => {
      const id = catalogueIdOf(tenant, named)
      if (id === null) return null
      const kept = own.get(id)
      if (kept !== undefined)
        return kept.tenant === tenant ? { status: 'published', issuing: kept.issuing } : null
      const reply = await read<DefinitionReply>(id, 'ReadDefinition')
      if (!('definition' in reply) || reply.definition.tenant !== tenant) return null
      const issuing = issuingOf(id, reply.definition)
      if (issuing !== null) own.set(id, { tenant, issuing })
      return { status: reply.definition.status, issuing }
    },
    privatePart: async (tenant, catalogueId) => {
      const reply = await read<DefinitionReply>(catalogueId, 'ReadPrivatePart')
      if (!('privatePart' in reply) || reply.tenant !== tenant || reply.privatePart === null)
        throw new Error(`${catalogueId} has no private part here`)
      return reply.privatePart
    },
    forVerifying: async (schemaId, definitionId) => {
      const key = `${schemaId} ${definitionId}`
      const kept = foreign.get(key)
      if (kept !== undefined) return kept
      const [schema, definition] = await Promise.all([
        ports.ledger.readSchema(schemaId),
        ports.ledger.readDefinition(definitionId),
      ])
      // A definition belongs to the one schema that its place on the ledger says.
      if (schema === null || definition === null || definition.schemaSeqNo !== schema.seqNo) return null
      const texts = { schema: schemaText(schema), definition: definitionText(schema, definition) }
      foreign.set(key, texts)
      return texts
    },
  }
}

const catalogueIdOf = (tenant: string, named: string): string | null => {
  if (shardOf(named) !== null && kindOf(named) === DEFINITION) return named
  const name = definitionNameOf(named)
  return name === null ? null : definitionIdOf(tenant, name)
}

const issuingOf = (catalogueId: string, definition: PublicDefinition): IssuingDefinition | null => {
  const { status, ledgerId, keys, schema } = definition
  if (status !== 'published' || ledgerId === null || keys === null) return null
  return { catalogueId, ledgerId, schemaLedgerId: schema.ledgerId, attributes: schema.attributes, ...keys }
}

const schemaText = ({ id, name, version, attributes }: LedgerSchema): string =>
  JSON.stringify({ issuerId: issuerOf(id), name, version, attrNames: attributes })

const definitionText = (schema: LedgerSchema, { id, tag, value }: LedgerDefinition): string =>
  JSON.stringify({ issuerId: issuerOf(id), schemaId: schema.id, type: 'CL', tag, value })

/** Both spellings begin with the issuer. */
const issuerOf = (ledgerId: string): string =>
  ledgerId.startsWith('did:indy:') ? (ledgerId.split('/')[0] ?? '') : (ledgerId.split(':')[0] ?? '')
