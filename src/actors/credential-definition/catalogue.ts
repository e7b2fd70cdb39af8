import { LRUCache } from 'lru-cache'
import { definitionNameOf, type DefinitionName } from '../../domain/ledger-names.ts'
import type { PublishingStatus } from '../../domain/publishing.ts'
import type { Ref } from '../../domain/references.ts'
import { isRefused } from '../../domain/decider.ts'
import type { Actors } from '../../ports/actors.ts'
import type { JsonText } from '../../ports/anoncreds.ts'
import type { Ledger, LedgerDefinition, LedgerSchema } from '../../ports/ledger.ts'
import { refOfNames } from '../ids.ts'
import { credentialDefinition, type DefinitionRecord, type DefinitionTypes } from './rules.ts'

/** A published credential definition as exchanges need it. Immutable, so it may be kept. */
export type IssuingDefinition = {
  readonly catalogueId: string
  readonly ledgerId: string
  readonly schemaLedgerId: string
  readonly attributes: readonly string[]
  readonly publicPart: JsonText
  readonly keyCorrectnessProof: JsonText
}

type Ports = {
  readonly ledger: Pick<Ledger, 'namespace' | 'readSchema' | 'readDefinition'>
  /** Public parts are up to 100 KB each. */
  readonly cachedMax: number
}
type Known = {
  readonly status: PublishingStatus
  /** Also of one that is deprecated: what was begun with it comes to its end. */
  readonly issuing: IssuingDefinition | null
}
type Foreign = { readonly schema: JsonText; readonly definition: JsonText }

/**
 * What exchanges need of schemas and definitions: of our own from their actors, of other issuers from the ledger. The
 * caches are there before the actors are, because some of these work with the catalogue.
 */
export const createCatalogue = ({ ledger, cachedMax }: Ports) => {
  const own = new LRUCache<string, { readonly tenant: string; readonly issuing: IssuingDefinition }>({
    max: cachedMax,
  })
  const issuingKept = (id: string, found: DefinitionRecord): IssuingDefinition | null => {
    const known = own.get(id)
    if (known !== undefined) return known.issuing
    const issuing = issuingOf(id, found)
    if (issuing !== null) own.set(id, { tenant: found.tenant, issuing })
    return issuing
  }
  const foreign = new LRUCache<string, Foreign>({ max: cachedMax })
  return (actors: Actors) => ({
    /**
     * By catalogue id or ledger id, of this tenant; null when the tenant has none of that name. As it is now: it may be
     * deprecated at any time.
     */
    definition: async (tenant: string, named: string): Promise<Known | null> => {
      const id = credentialDefinition.find(named) ?? definitionOnLedger(ledger.namespace, tenant, named)
      if (id === null) return null
      const known = own.get(id)
      if (known !== undefined) {
        const now = await actors.read(id, { view: 'status' })
        return isRefused(now) || now.tenant !== tenant ? null : { status: now.status, issuing: known.issuing }
      }
      const found = await actors.read(id)
      if (isRefused(found) || found.tenant !== tenant) return null
      return { status: found.status, issuing: issuingKept(id, found) }
    },
    /** What signs and verifies with a definition of this tenant asks for: it never changes, whatever its status. */
    issuing: async (tenant: string, named: string): Promise<IssuingDefinition | null> => {
      const id = credentialDefinition.find(named) ?? definitionOnLedger(ledger.namespace, tenant, named)
      if (id === null) return null
      const known = own.get(id)
      if (known !== undefined) return known.tenant === tenant ? known.issuing : null
      const found = await actors.read(id)
      return isRefused(found) || found.tenant !== tenant ? null : issuingKept(id, found)
    },
    /** The private part, only for signing and verifying; never kept outside the tenant's own memory. */
    privatePart: async (tenant: string, catalogueId: string): Promise<JsonText> => {
      const found = await actors.read(credentialDefinition.ref(catalogueId), { view: 'privatePart' })
      if (isRefused(found) || found.tenant !== tenant || found.privatePart === null)
        throw new Error(`${catalogueId} has no private part here`)
      return found.privatePart
    },
    /** Schema and definition of any issuer, as a verifier needs them; null when the ledger has none. */
    forVerifying: async (schemaId: string, definitionId: string): Promise<Foreign | null> => {
      const key = `${schemaId} ${definitionId}`
      const kept = foreign.get(key)
      if (kept !== undefined) return kept
      const [schema, definition] = await Promise.all([
        ledger.readSchema(schemaId),
        ledger.readDefinition(definitionId),
      ])
      // A definition belongs to the one schema that its place on the ledger says.
      if (schema === null || definition === null || definition.schemaSeqNo !== schema.seqNo) return null
      const texts = { schema: schemaText(schema), definition: definitionText(schema, definition) }
      foreign.set(key, texts)
      return texts
    },
  })
}

export type Catalogue = ReturnType<ReturnType<typeof createCatalogue>>

/** The same name gives the same id: what exists is found again, not made twice. */
export const definitionNamed = (
  tenant: string,
  { did, schemaSeqNo, tag }: DefinitionName,
): Ref<DefinitionTypes> => refOfNames(credentialDefinition, [tenant, did, schemaSeqNo, tag])

const definitionOnLedger = (
  namespace: string,
  tenant: string,
  ledgerId: string,
): Ref<DefinitionTypes> | null => {
  const name = definitionNameOf(namespace, ledgerId)
  return name === null ? null : definitionNamed(tenant, name)
}

const issuingOf = (catalogueId: string, definition: DefinitionRecord): IssuingDefinition | null => {
  const { ledgerId, keys, schema } = definition
  if (ledgerId === null || keys === null) return null
  return { catalogueId, ledgerId, schemaLedgerId: schema.ledgerId, attributes: schema.attributes, ...keys }
}

const schemaText = ({ id, name, version, attributes }: LedgerSchema): JsonText =>
  JSON.stringify({ issuerId: issuerOf(id), name, version, attrNames: attributes })

const definitionText = (schema: LedgerSchema, { id, tag, value }: LedgerDefinition): JsonText =>
  JSON.stringify({ issuerId: issuerOf(id), schemaId: schema.id, type: 'CL', tag, value })

/** Both spellings begin with the issuer. */
const issuerOf = (ledgerId: string): string =>
  ledgerId.startsWith('did:indy:') ? (ledgerId.split('/')[0] ?? '') : (ledgerId.split(':')[0] ?? '')
