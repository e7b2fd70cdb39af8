import {
  Credential,
  CredentialDefinition,
  CredentialOffer,
  CredentialRequest,
  type CredentialRequestMetadata,
  LinkSecret,
  Presentation,
  PresentationRequest,
  Schema,
} from '@hyperledger/anoncreds-nodejs'

type Json = Parameters<typeof Schema.fromJson>[0]

type Known = {
  readonly definitionId: string
  readonly schemaId: string
  readonly definition: CredentialDefinition
  readonly schema: Schema
}

type Requested = Promise<{
  readonly request: Json
  readonly metadata: CredentialRequestMetadata
  readonly known: Known
}>

type Read = (
  schemaId: string,
  definitionId: string,
) => Promise<{ readonly schema: string; readonly definition: string } | null>

type ProofRequest = {
  readonly requested_attributes: Readonly<Record<string, unknown>>
  readonly requested_predicates: Readonly<Record<string, unknown>>
}

/** The holder's side of AnonCreds on libanoncreds, with one link secret for all. The library frees nothing by itself. */
export class HolderCredentials {
  readonly #read: Read
  readonly #linkSecret = LinkSecret.create()
  readonly #known = new Map<string, Promise<Known>>()
  readonly #requested = new Map<string, Requested>()
  readonly #processed = new Set<string>()

  constructor(read: Read) {
    this.#read = read
  }

  /** An offer that comes again gets the same answer: what is signed fits one request only. */
  async request(threadId: string, offer: unknown): Promise<Json> {
    const requested = this.#requested.get(threadId) ?? this.#request(offer)
    this.#requested.set(threadId, requested)
    return (await requested).request
  }

  async #request(offer: unknown): Promise<Awaited<Requested>> {
    const { schema_id, cred_def_id } = offer as { schema_id: string; cred_def_id: string }
    const known = await this.#of(schema_id, cred_def_id)
    const credentialOffer = CredentialOffer.fromJson(offer as Json)
    const made = CredentialRequest.create({
      entropy: 'entropy of the wallet',
      credentialDefinition: known.definition,
      linkSecret: this.#linkSecret,
      linkSecretId: 'default',
      credentialOffer,
    })
    const request = made.credentialRequest.toJson()
    credentialOffer.handle.clear()
    made.credentialRequest.handle.clear()
    return { request, metadata: made.credentialRequestMetadata, known }
  }

  /** Throws unless the signature and its proof hold; null for one that comes again. */
  async process(threadId: string, credential: unknown): Promise<string | null> {
    if (this.#processed.has(threadId)) return null
    const requested = await this.#requested.get(threadId)
    if (!requested) throw new Error('a credential came that was not requested')
    this.#requested.delete(threadId)
    this.#processed.add(threadId)
    const received = Credential.fromJson(credential as Json)
    const held = received.process({
      credentialRequestMetadata: requested.metadata,
      linkSecret: this.#linkSecret,
      credentialDefinition: requested.known.definition,
    })
    const text = JSON.stringify(held.toJson())
    for (const value of [received, held, requested.metadata]) value.handle.clear()
    return text
  }

  async present(held: string, asked: unknown): Promise<Json> {
    const json = JSON.parse(held) as { schema_id: string; cred_def_id: string }
    const { schemaId, definitionId, schema, definition } = await this.#of(json.schema_id, json.cred_def_id)
    const { requested_attributes, requested_predicates } = asked as ProofRequest
    const presentationRequest = PresentationRequest.fromJson(asked as Json)
    const credential = Credential.fromJson(json)
    const answers = (referents: object, isPredicate: boolean) =>
      Object.keys(referents).map((referent) => ({ entryIndex: 0, referent, isPredicate, reveal: true }))
    const presentation = Presentation.create({
      presentationRequest,
      credentials: [{ credential }],
      credentialsProve: [...answers(requested_attributes, false), ...answers(requested_predicates, true)],
      selfAttest: {},
      linkSecret: this.#linkSecret,
      schemas: { [schemaId]: schema },
      credentialDefinitions: { [definitionId]: definition },
    })
    const made = presentation.toJson()
    for (const value of [presentationRequest, credential, presentation]) value.handle.clear()
    return made
  }

  #of(schemaId: string, definitionId: string): Promise<Known> {
    const known = this.#known.get(definitionId) ?? this.#fetch(schemaId, definitionId)
    this.#known.set(definitionId, known)
    return known
  }

  async #fetch(schemaId: string, definitionId: string): Promise<Known> {
    const texts = await this.#read(schemaId, definitionId)
    if (!texts) throw new Error(`the ledger has no ${definitionId}`)
    const definition = CredentialDefinition.fromJson(JSON.parse(texts.definition) as Json)
    return { schemaId, definitionId, definition, schema: Schema.fromJson(JSON.parse(texts.schema) as Json) }
  }
}

/** Makes one request for each nonce, where all offers have the same, and takes what is signed on trust. */
export class PreparedCredentials {
  readonly #real: HolderCredentials
  readonly #requests = new Map<string, Promise<Json>>()

  constructor(real: HolderCredentials) {
    this.#real = real
  }

  request(threadId: string, offer: unknown): Promise<Json> {
    const { nonce, cred_def_id: definitionId } = offer as { nonce: string; cred_def_id: string }
    const made = this.#requests.get(`${definitionId} ${nonce}`) ?? this.#real.request(threadId, offer)
    this.#requests.set(`${definitionId} ${nonce}`, made)
    return made
  }

  process(): Promise<string> {
    return Promise.resolve('')
  }

  present(): Promise<Json> {
    return Promise.reject(new Error('credentials that were taken on trust are not shown'))
  }
}
