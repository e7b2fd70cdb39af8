import { createHash } from 'node:crypto'
import bs58 from 'bs58'
import { LRUCache } from 'lru-cache'
import {
  AgreementOpen,
  type Ledger,
  type LedgerAcceptance,
  type LedgerAgreement,
  type LedgerDefinition,
  LedgerRefused,
  type LedgerSchema,
  type LedgerSigner,
  type NewDefinition,
  type NewSchema,
} from '../ports/ledger.ts'
import { parseExact } from './exact-json.ts'
import { definitionId, schemaId } from './indy-ids.ts'
import type { Acceptance, WriteDraft } from './indy-messages.ts'
import { IndyReads, type ReadSettings } from './indy-reads.ts'
import { Agreements } from './agreements.ts'
import { PoolHealth, type PoolStatus } from './pool-health.ts'
import { ProcessCalls } from './process-calls.ts'

export type IndyLedgerSettings = ReadSettings & {
  readonly genesis: string
  readonly endorser: LedgerSigner
  readonly callsMax: number
  /** How often the nodes of the pool are asked for; left out: never by itself. */
  readonly refreshMs?: number
  readonly changed?: (status: PoolStatus) => void
}

const REFRESH_MS = 300_000
/** While the pool is away. */
const RETRY_MS = 30_000
/** A definition of 125 attributes is one of 130 KB. */
const UNANSWERED_MAX = 100
const UNANSWERED_MS = 3_600_000

/** Any Indy network, through indy-vdr. */
export class IndyLedger implements Ledger, AsyncDisposable {
  readonly namespace: string
  readonly genesis: { readonly text: string; readonly sha256: string }
  readonly #calls: ProcessCalls
  readonly #endorser: LedgerSigner
  readonly #reads: IndyReads
  readonly #health: PoolHealth
  readonly #agreements: Agreements
  /** Signed requests whose outcome is not known, by what they write. */
  readonly #unanswered = new LRUCache<string, string>({ max: UNANSWERED_MAX, ttl: UNANSWERED_MS })

  constructor(settings: IndyLedgerSettings) {
    this.namespace = settings.namespace
    this.genesis = { text: settings.genesis, sha256: sha256Of(settings.genesis) }
    this.#endorser = settings.endorser
    this.#calls = new ProcessCalls({ genesis: settings.genesis }, settings)
    this.#health = new PoolHealth({
      refresh: () => this.probe(),
      everyMs: settings.refreshMs ?? REFRESH_MS,
      retryMs: RETRY_MS,
      now: Date.now,
      ...(settings.changed && { changed: settings.changed }),
    })
    this.#reads = new IndyReads(
      { call: (message) => this.#calls.call(message), failed: () => void this.#health.check() },
      settings,
    )
    this.#agreements = new Agreements((question) => this.#reads.read(question))
    if (settings.refreshMs !== undefined) this.#health.start()
  }

  /** Whether the pool answers. */
  get status(): PoolStatus {
    return this.#health.status
  }

  /** For those who look at the ledger from outside. */
  get reads(): Pick<IndyReads, 'text'> {
    return this.#reads
  }

  async registerIdentity(identity: { did: string; verkey: string }): Promise<void> {
    await this.#onlyOnce<Registered>({
      find: () => this.#identity(identity.did),
      isSame: ({ verkey }) => verkey === identity.verkey,
      taken: `${identity.did} is on the ledger with another key`,
      write: async () => {
        await this.#write({ kind: 'nym', author: this.#endorser.did, ...identity }, this.#endorser)
        return identity
      },
    })
  }

  async publishSchema(author: LedgerSigner, schema: NewSchema): Promise<LedgerSchema> {
    const id = schemaId(author.did, schema.name, schema.version)
    return this.#onlyOnce({
      find: () => this.#reads.schema(id, 'fresh'),
      isSame: (present) => sameNames(present.attributes, schema.attributes),
      taken: `${id} is on the ledger with other attributes`,
      write: async () => {
        const { txnMetadata } = await this.#write({ kind: 'schema', author: author.did, ...schema }, author)
        const written = { id, seqNo: txnMetadata.seqNo, ...schema }
        await this.#reads.noteSchema(written)
        return written
      },
    })
  }

  async publishDefinition(author: LedgerSigner, definition: NewDefinition): Promise<LedgerDefinition> {
    const id = definitionId(author.did, definition.schemaSeqNo, definition.tag)
    return this.#onlyOnce({
      find: () => this.#reads.definition(id, 'fresh'),
      isSame: (present) => modulus(present.value) === modulus(definition.value),
      taken: `${id} is on the ledger with another key`,
      write: async () => {
        await this.#write({ kind: 'definition', author: author.did, ...definition }, author)
        const written = { id, ...definition }
        await this.#reads.noteDefinition(written)
        return written
      },
    })
  }

  readSchema(id: string): Promise<LedgerSchema | null> {
    return this.#reads.schema(id)
  }

  readDefinition(id: string): Promise<LedgerDefinition | null> {
    return this.#reads.definition(id)
  }

  readAgreement(): Promise<LedgerAgreement | null> {
    return this.#agreements.read()
  }

  /** Who knows what an operator has accepted: it comes after the ledger, because it is kept like everything else. */
  acceptedBy(accepted: () => Promise<LedgerAcceptance | null>): void {
    this.#agreements.acceptedBy(accepted)
  }

  async probe(): Promise<void> {
    await this.#calls.call({ do: 'refresh' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#health[Symbol.asyncDispose](), this.#calls[Symbol.asyncDispose]()])
  }

  async #identity(did: string): Promise<Registered | null> {
    const { data } = await this.#reads.read({ kind: 'nym', did })
    return typeof data === 'string' ? (JSON.parse(data) as Registered) : null
  }

  /** What is there already is not written again; nor is what an attempt whose answer was lost has written meanwhile. */
  async #onlyOnce<Written>({ find, isSame, taken, write }: OnlyOnce<Written>): Promise<Written> {
    const present = await find()
    if (present !== null) {
      if (isSame(present)) return present
      throw new LedgerRefused(taken)
    }
    try {
      return await write()
    } catch (error) {
      if (!(error instanceof LedgerRefused)) throw error
      const landed = await find()
      if (landed !== null && isSame(landed)) return landed
      throw error
    }
  }

  /**
   * Where no answer comes, the write may land all the same, later than the next attempt looks. That attempt sends the very
   * same request, which nodes take once.
   */
  async #write(draft: WriteDraft, author: LedgerSigner): Promise<{ txnMetadata: { seqNo: number } }> {
    const acceptance = await this.#agreements.acceptance()
    const key = sha256Of(JSON.stringify([draft, acceptance]))
    const request = this.#unanswered.get(key) ?? (await this.#signed(draft, author, acceptance))
    this.#unanswered.set(key, request)
    try {
      const written = await this.#calls.call({ do: 'submit', request })
      this.#unanswered.delete(key)
      return JSON.parse(written) as { txnMetadata: { seqNo: number } }
    } catch (error) {
      const isOpen = this.#agreements.isAbout(error)
      const isAnswered = isOpen || error instanceof LedgerRefused
      if (isAnswered) this.#unanswered.delete(key)
      else void this.#health.check()
      throw isOpen ? new AgreementOpen() : error
    }
  }

  async #signed(draft: WriteDraft, author: LedgerSigner, acceptance: Acceptance | null): Promise<string> {
    const endorsed = author.did !== this.#endorser.did
    const endorser = endorsed ? this.#endorser.did : null
    const asked = { do: 'draft', draft, endorser, acceptance } as const
    const drafted = JSON.parse(await this.#calls.call(asked)) as { request: string; input: string }
    const input = Buffer.from(drafted.input)
    const signatures = Object.fromEntries(
      (endorsed ? [author, this.#endorser] : [author]).map((signer) => [
        signer.did,
        bs58.encode(signer.sign(input)),
      ]),
    )
    // The request id has more digits than a JavaScript number, and must reach the ledger exactly as it was signed.
    return JSON.stringify({ ...(parseExact(drafted.request) as object), signatures })
  }
}

type Registered = { readonly verkey?: string }

type OnlyOnce<Written> = {
  readonly find: () => Promise<Written | null>
  readonly isSame: (present: Written) => boolean
  readonly taken: string
  readonly write: () => Promise<Written>
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

const sameNames = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && [...left].sort().join('\n') === [...right].sort().join('\n')

const modulus = (value: Readonly<Record<string, unknown>>): unknown =>
  (value['primary'] as { n?: unknown } | undefined)?.n
