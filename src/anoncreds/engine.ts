import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'

/**
 * Why an engine gave no result. `refused`: the input is wrong. `not-understood`: another engine may know more.
 * `fault`: the machine or the code failed; nothing was signed.
 */
export type FailureKind = 'refused' | 'not-understood' | 'fault'

/** `both`: compared; `checks`: refused before an engine saw it; `none`: the work came to no engine. */
export type EngineName = 'native' | 'library' | 'both' | 'checks' | 'none'

export class EngineFailure extends Error {
  readonly kind: FailureKind
  readonly engine: EngineName
  constructor(kind: FailureKind, reason: string, engine: EngineName) {
    super(reason)
    this.name = 'EngineFailure'
    this.kind = kind
    this.engine = engine
  }
}

/** What verifies after the strict checks: texts that were parsed and written again, so that all engines read alike. */
export type CheckedPresentation = PresentationInput

/** Runs in worker threads; synchronous, as the libraries are. */
export interface Engine {
  readonly name: 'native' | 'library'
  createCredential(input: CredentialInput): JsonText
  /** False or a failure of kind `refused` for what does not hold. */
  verifyPresentation(input: CheckedPresentation): boolean
}
