import type { DefinitionInput, NewDefinition } from '../ports/anoncreds.ts'
import { loadNative, NativeUnavailable } from './native-binary.ts'
import type { EngineChoice } from './selection.ts'

/** A separate process of low priority, because key generation takes seconds and cannot be interrupted otherwise. */

export type DefinitionOrder = { readonly input: DefinitionInput; readonly engine: EngineChoice }

export type DefinitionAnswer =
  | { readonly kind: 'made'; readonly definition: NewDefinition; readonly engine: 'native' | 'library' }
  | { readonly kind: 'failed'; readonly refused: boolean; readonly reason: string }

type Made = { readonly definition: NewDefinition; readonly engine: 'native' | 'library' }

const textsOf = (parts: Readonly<Record<keyof NewDefinition, unknown>>): NewDefinition => ({
  credentialDefinition: JSON.stringify(parts.credentialDefinition),
  credentialDefinitionPrivate: JSON.stringify(parts.credentialDefinitionPrivate),
  keyCorrectnessProof: JSON.stringify(parts.keyCorrectnessProof),
})

const withNative = (input: DefinitionInput): Made => {
  const attributes = JSON.stringify(input.attributes)
  const made = loadNative().generateDefinition(input.schemaId, input.issuerId, input.tag, attributes)
  const definition = textsOf(JSON.parse(made) as Readonly<Record<keyof NewDefinition, unknown>>)
  return { engine: 'native', definition }
}

const withLibrary = async (input: DefinitionInput): Promise<Made> => {
  const { CredentialDefinition, Schema } = await import('@hyperledger/anoncreds-nodejs')
  // A definition does not contain its schema's name, version or issuer, so any will do.
  const schema = Schema.create({
    name: input.tag,
    version: '1.0',
    issuerId: input.issuerId,
    attributeNames: [...input.attributes],
  })
  const made = CredentialDefinition.create({
    schemaId: input.schemaId,
    schema,
    issuerId: input.issuerId,
    tag: input.tag,
    signatureType: 'CL',
    supportRevocation: false,
  })
  const definition = textsOf({
    credentialDefinition: made.credentialDefinition.toJson(),
    credentialDefinitionPrivate: made.credentialDefinitionPrivate.toJson(),
    keyCorrectnessProof: made.keyCorrectnessProof.toJson(),
  })
  return { engine: 'library', definition }
}

const make = async ({ input, engine }: DefinitionOrder): Promise<Made> => {
  if (engine === 'library') return await withLibrary(input)
  try {
    return withNative(input)
  } catch (error) {
    if (engine === 'auto' && error instanceof NativeUnavailable) return await withLibrary(input)
    throw error
  }
}

const answer = async (order: DefinitionOrder): Promise<DefinitionAnswer> => {
  try {
    return { kind: 'made', ...(await make(order)) }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { kind: 'failed', refused: reason.startsWith('invalid: '), reason }
  }
}

process.once('message', (order: DefinitionOrder) => {
  void answer(order).then((answered) => process.send?.(answered, () => process.disconnect()))
})
