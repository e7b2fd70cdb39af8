import type { Call, Trouble } from './troubles.ts'

/** An image by what it cannot be mistaken for, never by its content. */
export type Sighting = { readonly sha256: string; readonly bytes: number }

/** What a vendor was asked for. Keys, tokens and contents of images are not in it. */
export type HeardCall = Call & {
  readonly atMs: number
  /** Of HTTP; what was not answered has a word instead. */
  readonly status: number | 'silence' | 'reset'
  /** Of the vendor, where it refused. */
  readonly code: string | null
  readonly sessionId: string | null
  readonly images: readonly Sighting[]
  readonly troubles: readonly Trouble['kind'][]
}

const CALLS_MAX = 20_000

/** The last calls, the oldest first. */
export class Heard {
  #calls: HeardCall[] = []

  note(call: HeardCall): void {
    this.#calls.push(call)
    if (this.#calls.length > CALLS_MAX) this.#calls = this.#calls.slice(-CALLS_MAX / 2)
  }

  get calls(): readonly HeardCall[] {
    return this.#calls
  }

  forget(): void {
    this.#calls = []
  }
}
