import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import {
  type Ledger,
  type LedgerDefinition,
  LedgerRefused,
  type LedgerSchema,
  type LedgerSigner,
  type NewDefinition,
  type NewSchema,
} from '../ports/ledger.ts'
import { parseExact } from './exact-json.ts'
import { definitionId, isDefinitionId, isSchemaId, schemaId, spelledForLedger } from './indy-ids.ts'
import type { ReadQuery, WriteDraft } from './indy-messages.ts'
import { cachedReads } from './read-cache.ts'
import { ProcessCalls } from './process-calls.ts'

export type IndyLedgerSettings = {
  readonly namespace: string
  readonly genesis: string
  readonly endorser: LedgerSigner
  readonly callTimeoutMs: number
  readonly callsMax: number
  readonly cachedObjectsMax: number
}

/** Any Indy network, through indy-vdr. Objects of a ledger never change, so those that were found are cached. */
export class IndyLedger implements Ledger, AsyncDisposable {
  readonly namespace: string
  readonly genesis: { readonly text: string; readonly sha256: string }
  readonly #calls: ProcessCalls
  readonly #endorser: LedgerSigner
  readonly #schemas: (id: string) => Promise<LedgerSchema | null>
  readonly #definitions: (id: string) => Promise<LedgerDefinition | null>

  constructor(settings: IndyLedgerSettings) {
    this.namespace = settings.namespace
    const sha256 = createHash('sha256').update(settings.genesis).digest('hex')
    this.genesis = { text: settings.genesis, sha256 }
    this.#endorser = settings.endorser
    this.#calls = new ProcessCalls({ genesis: settings.genesis }, settings)
    this.#schemas = cachedReads(settings.cachedObjectsMax, (id) => this.#fetchSchema(id))
    this.#definitions = cachedReads(settings.cachedObjectsMax, (id) => this.#fetchDefinition(id))
  }

  async registerIdentity(identity: { did: string; verkey: string }): Promise<void> {
    const { data } = await this.#read({ kind: 'nym', did: identity.did })
    if (typeof data === 'string') {
      if ((JSON.parse(data) as { verkey?: string }).verkey === identity.verkey) return
      throw new LedgerRefused(`${identity.did} is on the ledger with another key`)
    }
    await this.#write({ kind: 'nym', author: this.#endorser.did, ...identity }, this.#endorser)
  }

  async publishSchema(author: LedgerSigner, schema: NewSchema): Promise<LedgerSchema> {
    const id = schemaId(author.did, schema.name, schema.version)
    const present = await this.readSchema(id)
    if (present) {
      if (sameNames(present.attributes, schema.attributes)) return present
      throw new LedgerRefused(`${id} is on the ledger with other attributes`)
    }
    const written = await this.#write({ kind: 'schema', author: author.did, ...schema }, author)
    return { id, seqNo: written.txnMetadata.seqNo, ...schema }
  }

  async publishDefinition(author: LedgerSigner, definition: NewDefinition): Promise<LedgerDefinition> {
    const id = definitionId(author.did, definition.schemaSeqNo, definition.tag)
    const present = await this.readDefinition(id)
    if (present) {
      if (modulus(present.value) === modulus(definition.value)) return present
      throw new LedgerRefused(`${id} is on the ledger with another key`)
    }
    await this.#write({ kind: 'definition', author: author.did, ...definition }, author)
    return { id, ...definition }
  }

  async readSchema(id: string): Promise<LedgerSchema | null> {
    const asked = isSchemaId(id) ? spelledForLedger(id, this.namespace) : null
    const found = asked !== null && isSchemaId(asked) ? await this.#schemas(asked) : null
    return found && { ...found, id }
  }

  async readDefinition(id: string): Promise<LedgerDefinition | null> {
    const asked = isDefinitionId(id) ? spelledForLedger(id, this.namespace) : null
    const found = asked !== null && isDefinitionId(asked) ? await this.#definitions(asked) : null
    return found && { ...found, id }
  }

  async probe(): Promise<void> {
    await this.#calls.call({ do: 'refresh' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#calls[Symbol.asyncDispose]()
  }

  async #fetchSchema(id: string): Promise<LedgerSchema | null> {
    const { data, seqNo } = await this.#find({ kind: 'schema', id })
    const found = data as { name: string; version: string; attr_names?: string[] } | null
    if (!found?.attr_names || typeof seqNo !== 'number') return null
    return { id, seqNo, name: found.name, version: found.version, attributes: found.attr_names }
  }

  async #fetchDefinition(id: string): Promise<LedgerDefinition | null> {
    const { data, ref, tag } = await this.#find({ kind: 'definition', id })
    if (typeof data !== 'object' || data === null) return null
    return { id, schemaSeqNo: Number(ref), tag: String(tag), value: data as Record<string, unknown> }
  }

  /** What the ledger refuses to look up does not exist, so asking again is pointless. */
  async #find(query: ReadQuery): Promise<Record<string, unknown>> {
    try {
      return await this.#read(query)
    } catch (error) {
      if (error instanceof LedgerRefused) return {}
      throw error
    }
  }

  async #read(query: ReadQuery): Promise<Record<string, unknown>> {
    return JSON.parse(await this.#calls.call({ do: 'read', query })) as Record<string, unknown>
  }

  async #write(draft: WriteDraft, author: LedgerSigner): Promise<{ txnMetadata: { seqNo: number } }> {
    const endorsed = author.did !== this.#endorser.did
    const endorser = endorsed ? this.#endorser.did : null
    const drafted = JSON.parse(await this.#calls.call({ do: 'draft', draft, endorser })) as {
      request: string
      input: string
    }
    const input = Buffer.from(drafted.input)
    const signatures = Object.fromEntries(
      (endorsed ? [author, this.#endorser] : [author]).map((signer) => [
        signer.did,
        bs58.encode(signer.sign(input)),
      ]),
    )
    // The request id has more digits than a JavaScript number, and must reach the ledger exactly as it was signed.
    const request = JSON.stringify({ ...(parseExact(drafted.request) as object), signatures })
    return JSON.parse(await this.#calls.call({ do: 'submit', request })) as { txnMetadata: { seqNo: number } }
  }
}

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && [...left].sort().join('\n') === [...right].sort().join('\n')

const modulus = (value: Readonly<Record<string, unknown>>): unknown =>
  (value['primary'] as { n?: unknown } | undefined)?.n
