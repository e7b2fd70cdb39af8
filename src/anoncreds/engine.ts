import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'

/**
 * Why an engine gave no result. `refused`: the input is wrong. `not-understood`: the other engine may understand it.
 * `fault`: the machine or the code failed, and nothing was signed.
 */
export type FailureKind = 'refused' | 'not-understood' | 'fault'

/** `both`: compared; `checks`: refused before an engine saw it; `none`: the work reached no engine. */
export type EngineName = 'native' | 'library' | 'both' | 'checks' | 'none'

export class EngineFailure extends Error {
  override readonly name = 'EngineFailure'
  readonly kind: FailureKind
  readonly engine: EngineName
  constructor(kind: FailureKind, reason: string, engine: EngineName) {
    super(reason)
    this.kind = kind
    this.engine = engine
  }
}

/** An engine runs in worker threads; it is synchronous, as the libraries are. */
export interface Engine {
  readonly name: 'native' | 'library'
  createCredential(input: CredentialInput): JsonText
  /**
   * Returns false, or fails with kind `refused`, for a presentation that does not hold. The input has passed the strict
   * checks, which wrote its texts again so that all engines read the same.
   */
  verifyPresentation(input: PresentationInput): boolean
}
