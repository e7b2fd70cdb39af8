import {
  Credential,
  CredentialDefinition,
  CredentialDefinitionPrivate,
  CredentialOffer,
  CredentialRequest,
  Presentation,
  PresentationRequest,
  Schema,
} from '@hyperledger/anoncreds-nodejs'
import { AnoncredsError } from '@hyperledger/anoncreds-shared'
import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'
import { encodeValue } from './encoding.ts'
import { type Engine, EngineFailure } from './engine.ts'

type Handle = { readonly handle: { clear(): void } }
type Json = Parameters<typeof Schema.fromJson>[0]

const parse = (text: JsonText): Json => JSON.parse(text) as Json

/** The engine libanoncreds. Every handle is cleared, because the library frees nothing by itself. */
export class LibraryEngine implements Engine {
  readonly name = 'library'

  createCredential(input: CredentialInput): JsonText {
    return withHandles((own) => {
      const credential = own(
        Credential.create({
          credentialDefinition: own(CredentialDefinition.fromJson(parse(input.credentialDefinition))),
          credentialDefinitionPrivate: own(
            CredentialDefinitionPrivate.fromJson(parse(input.credentialDefinitionPrivate)),
          ),
          credentialOffer: own(CredentialOffer.fromJson(parse(input.offer))),
          credentialRequest: own(CredentialRequest.fromJson(parse(input.request))),
          attributeRawValues: input.values,
          attributeEncodedValues: Object.fromEntries(
            Object.entries(input.values).map(([name, raw]) => [name, encodeValue(raw)] as const),
          ),
        }),
      )
      return JSON.stringify(credential.toJson())
    })
  }

  verifyPresentation(input: PresentationInput): boolean {
    return withHandles((own) => {
      const byId = <Value extends Handle>(
        texts: Readonly<Record<string, JsonText>>,
        read: (json: Json) => Value,
      ) =>
        Object.fromEntries(Object.entries(texts).map(([id, text]) => [id, own(read(parse(text)))] as const))
      return own(Presentation.fromJson(parse(input.presentation))).verify({
        presentationRequest: own(PresentationRequest.fromJson(parse(input.request))),
        schemas: byId(input.schemas, (json) => Schema.fromJson(json)),
        credentialDefinitions: byId(input.credentialDefinitions, (json) =>
          CredentialDefinition.fromJson(json),
        ),
      })
    })
  }
}

const withHandles = <Result>(
  work: (own: <Value extends Handle>(value: Value) => Value) => Result,
): Result => {
  const owned: Handle[] = []
  try {
    return work((value) => {
      owned.push(value)
      return value
    })
  } catch (error) {
    // The library's messages quote input, which may be personal, so none of them is kept.
    const refused = error instanceof AnoncredsError || error instanceof SyntaxError
    throw new EngineFailure(refused ? 'refused' : 'fault', 'the library did not accept the input', 'library')
  } finally {
    for (const value of owned) value.handle.clear()
  }
}
