import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'
import { encodeValues } from './encoding.ts'
import { type Engine, EngineFailure, type FailureKind } from './engine.ts'
import type { NativeAddon } from './native-binary.ts'

const KINDS: Readonly<Record<string, FailureKind>> = {
  invalid: 'refused',
  'not-understood': 'not-understood',
  fault: 'fault',
}

/** The messages of the addon begin with the kind of failure. */
const failureOf = (error: unknown): EngineFailure => {
  const message = error instanceof Error ? error.message : String(error)
  const [kind = '', ...reason] = message.split(': ')
  return new EngineFailure(KINDS[kind] ?? 'fault', reason.join(': ') || message, 'native')
}

/** Texts by id as one JSON object; they stay unchanged, because the engine remembers definitions by their text. */
const joined = (texts: Readonly<Record<string, JsonText>> = {}): string =>
  `{${Object.entries(texts)
    .map(([id, text]) => `${JSON.stringify(id)}:${text}`)
    .join(',')}}`

export class NativeEngine implements Engine {
  readonly name = 'native'
  readonly #addon: NativeAddon

  constructor(addon: NativeAddon) {
    this.#addon = addon
  }

  createCredential(input: CredentialInput): JsonText {
    const values = JSON.stringify(encodeValues(input.values))
    try {
      return this.#addon.issue(
        input.credentialDefinition,
        input.credentialDefinitionPrivate,
        input.offer,
        input.request,
        values,
      )
    } catch (error) {
      throw failureOf(error)
    }
  }

  verifyPresentation(input: PresentationInput): boolean {
    try {
      const definitions = joined(input.credentialDefinitions)
      this.#addon.verify(
        input.presentation,
        input.request,
        joined(input.schemas),
        definitions,
        joined(input.privates),
      )
      return true
    } catch (error) {
      throw failureOf(error)
    }
  }
}
