import { type LedgerQuestion, LedgerRefused } from '../ports/ledger.ts'
import { contentOf, didDocument, type LedgerNym, objectOrNull } from './did-document.ts'
import { definitionId, isDefinitionId, isSchemaId, schemaId } from './indy-ids.ts'
import type { VdrAnswer } from './vdr-reads.ts'

type Settings = {
  /** As the nodes answer, in their words. */
  readonly answer: (question: LedgerQuestion) => Promise<VdrAnswer>
  /** Names of other networks are refused. */
  readonly namespace: string
}

const DID_URL = /^did:indy:([a-z0-9_-]+(?::[a-z0-9_-]+)?):([1-9A-HJ-NP-Za-km-z]{21,22})(?:\/(.+))?$/
const OBJECT = /^anoncreds\/v0\/(SCHEMA|CLAIM_DEF)\/([^/]+)\/([^/]+)$/
/** The attribute under which identifiers without content of their own say where they are served. */
const ENDPOINT = 'endpoint'

/** What indy-vdr-proxy answers to a DID, and to the DID URL of an object: made of what the nodes say. */
export class DidAnswers {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** Null where the ledger has nothing of this name. */
  async answer(didUrl: string): Promise<VdrAnswer | null> {
    const [, network, did = '', path] = DID_URL.exec(didUrl) ?? []
    if (network !== this.#settings.namespace)
      throw new LedgerRefused('this is no name of an object of this ledger')
    return path === undefined ? this.#document(did) : this.#object(objectAt(did, path))
  }

  async #document(did: string): Promise<VdrAnswer | null> {
    const { answer, namespace } = this.#settings
    const found = await answer({ kind: 'nym', did })
    const nym = dataIn(found.text) as (LedgerNym & { readonly version?: unknown }) | null
    // Ledgers have identifiers that were given no key: of these there is no document.
    if (nym === null || typeof nym.verkey !== 'string') return null
    const hasContent = contentOf(nym) !== null
    const attribute = hasContent ? null : await answer({ kind: 'attribute', did, name: ENDPOINT })
    const written = attribute && objectOrNull(dataIn(attribute.text))
    const document = didDocument(namespace, nym, objectOrNull(written?.[ENDPOINT]))
    const version = typeof nym.version === 'number' ? nym.version : null
    // What the nodes said goes along as it is: its numbers are larger than JavaScript has them.
    const text = `{"didResolutionMetadata":null,"didDocument":${JSON.stringify(document)},"didDocumentMetadata":{"nodeResponse":${found.text},"objectType":"NYM","selfCertificationVersion":${version}}}`
    return { text, cacheSeconds: Math.min(found.cacheSeconds, attribute?.cacheSeconds ?? found.cacheSeconds) }
  }

  async #object(question: LedgerObject): Promise<VdrAnswer | null> {
    const found = await this.#settings.answer(question)
    const { data, seqNo } = resultIn(found.text)
    // Of a schema that is not there the nodes repeat what was asked.
    if (data === null || data === undefined || typeof seqNo !== 'number') return null
    const objectType = question.kind === 'schema' ? 'SCHEMA' : 'CRED_DEF'
    const text = `{"dereferencingMetadata":null,"contentStream":${JSON.stringify(data)},"contentMetadata":{"nodeResponse":${found.text},"objectType":"${objectType}"}}`
    return { text, cacheSeconds: found.cacheSeconds }
  }
}

type LedgerObject = Extract<LedgerQuestion, { readonly kind: 'schema' | 'definition' }>

const objectAt = (did: string, path: string): LedgerObject => {
  const [, kind, first = '', last = ''] = OBJECT.exec(path) ?? []
  const schema = schemaId(did, first, last)
  if (kind === 'SCHEMA' && isSchemaId(schema)) return { kind: 'schema', id: schema }
  const definition = `${did}:3:CL:${first}:${last}`
  if (kind === 'CLAIM_DEF' && isDefinitionId(definition))
    return { kind: 'definition', id: definitionId(did, Number(first), last) }
  throw new LedgerRefused('this is no name of an object of this ledger')
}

type Result = { readonly data?: unknown; readonly seqNo?: unknown }

const resultIn = (text: string): Result => (JSON.parse(text) as { readonly result: Result }).result

/** Identifiers and attributes are texts within the answer. */
const dataIn = (text: string): unknown => {
  const { data } = resultIn(text)
  return typeof data === 'string' ? JSON.parse(data) : null
}
