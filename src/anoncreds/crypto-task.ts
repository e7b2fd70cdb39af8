import type { CredentialInput, JsonText, PresentationInput } from '../ports/anoncreds.ts'
import type { EngineName } from './engine.ts'
import type { NativeCause, NativeStatus } from './native-binary.ts'
import type { EngineChoice, Outcome } from './selection.ts'

/**
 * Messages between the pool and its threads. Failures travel as data, because classes of errors do not survive the way.
 */
export type CryptoTask =
  | { readonly kind: 'issue'; readonly input: CredentialInput }
  | { readonly kind: 'verify'; readonly input: PresentationInput }
  | { readonly kind: 'fill'; readonly count: number }
  | { readonly kind: 'load' }

/** Why the own engine does not load: a code for logs and a sentence for people. */
export type LoadFailure = { readonly code: NativeCause; readonly reason: string }

export type CryptoAnswer =
  | { readonly kind: 'issued'; readonly outcome: Outcome<JsonText> }
  | { readonly kind: 'verified'; readonly outcome: Outcome<boolean> }
  | { readonly kind: 'filled'; readonly waiting: number; readonly status: NativeStatus | null }
  | { readonly kind: 'loaded'; readonly failure: LoadFailure | null }
  | {
      readonly kind: 'failed'
      readonly failure: 'refused' | 'not-understood' | 'fault' | 'disagreement'
      readonly reason: string
      readonly engine: EngineName
    }

export type CryptoWorkerStart = {
  readonly engine: EngineChoice
  readonly tableBytesMax: number
  /** URLs at which the own engine is looked for; without them, where it is built and shipped. */
  readonly binaries?: readonly string[] | undefined
}
