// An issuer and a verifier on @hyperledger/anoncreds-nodejs and nothing else: no messages, no storage, no network. Keys
// and schema are parsed once and stay with the library, which is the fastest way to use it.
import {
  Credential,
  CredentialDefinition,
  CredentialDefinitionPrivate,
  CredentialOffer,
  CredentialRequest,
  KeyCorrectnessProof,
  LinkSecret,
  Presentation,
  PresentationRequest,
  Schema,
} from '@hyperledger/anoncreds-nodejs'

type Json = Parameters<typeof Schema.fromJson>[0]
type Keys = {
  readonly credentialDefinition: CredentialDefinition
  readonly credentialDefinitionPrivate: CredentialDefinitionPrivate
  readonly keyCorrectnessProof: KeyCorrectnessProof
}
/** JSON texts of keys that another process made. */
export type KeyTexts = Readonly<Record<keyof Keys, string>>
export type Holding = {
  readonly values: Readonly<Record<string, string>>
  readonly revealed: readonly string[]
  /** The attribute of the one predicate: greater than. */
  readonly above: { readonly name: string; readonly bound: number }
}

const issuerId = 'did:example:issuer'
const schemaId = 'did:example:issuer/schema'
const definitionId = 'did:example:issuer/definition'
const entropy = 'entropy of the wallet'
const linkSecret = LinkSecret.create()
const parse = (text: string): Json => JSON.parse(text) as Json

let holding: Holding = { values: {}, revealed: [], above: { name: '', bound: 0 } }
let schema: Schema
let keys: Keys

/** Without keys it makes its own. */
export function prepare(given: Holding, texts: KeyTexts | null): void {
  holding = given
  const attributeNames = Object.keys(given.values)
  schema = Schema.create({ name: 'person', version: '1.0', issuerId, attributeNames })
  const order = { schemaId, issuerId, tag: 'default', schema, signatureType: 'CL', supportRevocation: false }
  keys = texts
    ? {
        credentialDefinition: CredentialDefinition.fromJson(parse(texts.credentialDefinition)),
        credentialDefinitionPrivate: CredentialDefinitionPrivate.fromJson(
          parse(texts.credentialDefinitionPrivate),
        ),
        keyCorrectnessProof: KeyCorrectnessProof.fromJson(parse(texts.keyCorrectnessProof)),
      }
    : CredentialDefinition.create({ ...order, signatureType: 'CL' })
}

/** Mean processor time in ms of an issuer: offer made, request read, credential signed and written. */
export function issue(count: number): number {
  let spentMs = 0
  for (let index = 0; index < count; index += 1) {
    let offer: Json = {}
    spentMs += cpuMs(() => {
      offer = makeOffer()
    })
    const request = requestFor(offer).request
    spentMs += cpuMs(() => void sign(offer, request))
  }
  return spentMs / count
}

/** Mean processor time in ms of a verifier: presentation and request read, verified. */
export function verify(count: number): number {
  let spentMs = 0
  const credential = heldCredential()
  for (let index = 0; index < count; index += 1) {
    const request = proofRequest()
    const presentation = present(credential, request)
    spentMs += cpuMs(() => {
      const honest = Presentation.fromJson(presentation).verify({
        presentationRequest: PresentationRequest.fromJson(request),
        schemas: { [schemaId]: schema },
        credentialDefinitions: { [definitionId]: keys.credentialDefinition },
      })
      if (!honest) throw new Error('an honest presentation was refused')
    })
  }
  return spentMs / count
}

function makeOffer(): Json {
  const { keyCorrectnessProof } = keys
  return CredentialOffer.create({
    schemaId,
    credentialDefinitionId: definitionId,
    keyCorrectnessProof,
  }).toJson()
}

function sign(offer: Json, request: Json): Json {
  const { credentialDefinition, credentialDefinitionPrivate } = keys
  return Credential.create({
    credentialDefinition,
    credentialDefinitionPrivate,
    credentialOffer: CredentialOffer.fromJson(offer),
    credentialRequest: CredentialRequest.fromJson(request),
    attributeRawValues: holding.values,
  }).toJson()
}

function requestFor(offer: Json) {
  const { credentialDefinition } = keys
  const credentialOffer = CredentialOffer.fromJson(offer)
  const wallet = { entropy, linkSecret, linkSecretId: 'default' }
  const made = CredentialRequest.create({ ...wallet, credentialDefinition, credentialOffer })
  return { request: made.credentialRequest.toJson(), metadata: made.credentialRequestMetadata }
}

function heldCredential(): Credential {
  const offer = makeOffer()
  const { request, metadata } = requestFor(offer)
  const { credentialDefinition } = keys
  const received = Credential.fromJson(sign(offer, request))
  return received.process({ credentialRequestMetadata: metadata, linkSecret, credentialDefinition })
}

let nonce = 100_000_000_000

function proofRequest(): Json {
  const { revealed, above } = holding
  nonce += 1
  const restrictions = [{ cred_def_id: definitionId }]
  return {
    name: 'Not expired',
    version: '1.0',
    nonce: String(nonce),
    requested_attributes: { person: { names: [...revealed], restrictions } },
    requested_predicates: {
      fresh: { name: above.name, p_type: '>', p_value: above.bound, restrictions },
    },
  }
}

function present(credential: Credential, request: Json): Json {
  const prove = [
    { entryIndex: 0, referent: 'person', isPredicate: false, reveal: true },
    { entryIndex: 0, referent: 'fresh', isPredicate: true, reveal: true },
  ]
  return Presentation.create({
    presentationRequest: PresentationRequest.fromJson(request),
    credentials: [{ credential }],
    credentialsProve: prove,
    selfAttest: {},
    linkSecret,
    schemas: { [schemaId]: schema },
    credentialDefinitions: { [definitionId]: keys.credentialDefinition },
  }).toJson()
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
