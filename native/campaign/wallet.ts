import {
  Credential,
  CredentialDefinition,
  CredentialOffer,
  CredentialRequest,
  LinkSecret,
  Presentation,
  PresentationRequest,
  Schema,
  type CredentialRequestMetadata,
} from '@hyperledger/anoncreds-nodejs'
import type { NativeAddon } from '../../src/anoncreds/native-binary.ts'
import type { NewDefinition, PresentationInput } from '../../src/ports/anoncreds.ts'
import { offerText } from '../../src/actors/credential/messages.ts'
import { newNonce } from '../../src/actors/ids.ts'
import { mapValues } from './members.ts'

type Json = Parameters<typeof Schema.fromJson>[0]

const parse = (text: string): Json => JSON.parse(text) as Json

/** A published definition with everything that issuer, holder and verifier know of it. */
export type Published = NewDefinition & {
  readonly id: string
  readonly schemaId: string
  readonly schema: string
  readonly attributes: readonly string[]
}

export type Requested = {
  readonly offer: string
  readonly request: string
  readonly metadata: CredentialRequestMetadata
}

/** A credential as the wallet keeps it. */
export type Held = {
  readonly published: Published
  readonly credential: string
  readonly values: Readonly<Record<string, string>>
}

/** A sub-proof of a presentation: from which credential, and which referents it answers. */
export type Answer = {
  readonly held: Held
  readonly revealed: readonly string[]
  readonly hidden: readonly string[]
  readonly predicates: readonly string[]
}

export const publishedAs = (made: NewDefinition, name: string, attributes: readonly string[]): Published => {
  const schemaId = `did:example:issuer/schema/${name}`
  const schema = JSON.stringify({
    name,
    version: '1.0',
    attrNames: attributes,
    issuerId: 'did:example:issuer',
  })
  return { ...made, id: `did:example:issuer/definition/${name}`, schemaId, schema, attributes }
}

/** What generation is asked for, so that ids agree with `publishedAs`. */
export const orderFor = (name: string, attributes: readonly string[]) => ({
  schemaId: `did:example:issuer/schema/${name}`,
  issuerId: 'did:example:issuer',
  tag: name,
  attributes,
})

export const libraryDefinition = (name: string, attributes: readonly string[]): NewDefinition => {
  const order = orderFor(name, attributes)
  const schema = Schema.create({
    name,
    version: '1.0',
    issuerId: order.issuerId,
    attributeNames: [...attributes],
  })
  const made = CredentialDefinition.create({
    ...order,
    schema,
    signatureType: 'CL',
    supportRevocation: false,
  })
  return mapValues<{ toJson(): unknown }, string>({ ...made }, (part) =>
    JSON.stringify(part.toJson()),
  ) as NewDefinition
}

const nativeDefinition = (addon: NativeAddon, name: string, attributes: readonly string[]): NewDefinition => {
  const { schemaId, issuerId, tag } = orderFor(name, attributes)
  const made = addon.generateDefinition(schemaId, issuerId, tag, JSON.stringify(attributes))
  return mapValues(JSON.parse(made) as Record<string, unknown>, (part) =>
    JSON.stringify(part),
  ) as NewDefinition
}

/** Made by the library, or by the own engine where it is given. */
export const define = (addon: NativeAddon | null, name: string, attributes: readonly string[]): Published => {
  const made =
    addon === null ? libraryDefinition(name, attributes) : nativeDefinition(addon, name, attributes)
  return publishedAs(made, name, attributes)
}

/** What a verifier knows of them. */
export const textsById = (all: readonly Published[]) => ({
  schemas: Object.fromEntries(all.map(({ schemaId, schema }) => [schemaId, schema])),
  credentialDefinitions: Object.fromEntries(
    all.map(({ id, credentialDefinition }) => [id, credentialDefinition]),
  ),
})

/** A holder on libanoncreds: what real wallets run. */
export class Wallet {
  readonly linkSecret: string = LinkSecret.create()

  request(published: Published): Requested {
    const { schemaId: schemaLedgerId, id: ledgerId, keyCorrectnessProof } = published
    const offer = offerText({ schemaLedgerId, ledgerId, keyCorrectnessProof }, newNonce())
    const made = CredentialRequest.create({
      entropy: 'entropy of the wallet',
      credentialDefinition: parse(published.credentialDefinition),
      linkSecret: this.linkSecret,
      linkSecretId: 'default',
      credentialOffer: CredentialOffer.fromJson(parse(offer)),
    })
    return {
      offer,
      request: JSON.stringify(made.credentialRequest.toJson()),
      metadata: made.credentialRequestMetadata,
    }
  }

  /** Throws unless the signature and its proof hold. */
  process(
    published: Published,
    requested: Requested,
    credential: string,
    values: Readonly<Record<string, string>>,
  ): Held {
    const processed = Credential.fromJson(parse(credential)).process({
      credentialRequestMetadata: requested.metadata,
      linkSecret: this.linkSecret,
      credentialDefinition: parse(published.credentialDefinition),
    })
    const held = { published, credential: JSON.stringify(processed.toJson()), values }
    processed.handle.clear()
    return held
  }

  present(
    request: string,
    answers: readonly Answer[],
    selfAttest: Readonly<Record<string, string>> = {},
  ): PresentationInput {
    const prove = answers.flatMap(({ revealed, hidden, predicates }, entryIndex) => [
      ...revealed.map((referent) => ({ entryIndex, referent, isPredicate: false, reveal: true })),
      ...hidden.map((referent) => ({ entryIndex, referent, isPredicate: false, reveal: false })),
      ...predicates.map((referent) => ({ entryIndex, referent, isPredicate: true, reveal: true })),
    ])
    const published = answers.map(({ held }) => held.published)
    const { schemas, credentialDefinitions } = textsById(published)
    const presentation = Presentation.create({
      presentationRequest: PresentationRequest.fromJson(parse(request)),
      credentials: answers.map(({ held }) => ({ credential: parse(held.credential) })),
      credentialsProve: prove,
      selfAttest: { ...selfAttest },
      linkSecret: this.linkSecret,
      schemas: mapValues(schemas, parse),
      credentialDefinitions: mapValues(credentialDefinitions, parse),
    })
    const text = JSON.stringify(presentation.toJson())
    presentation.handle.clear()
    return { presentation: text, request, schemas, credentialDefinitions }
  }
}
