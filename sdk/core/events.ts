import type { Connection } from './holder/connections.ts'
import type { Credential } from './holder/credentials.ts'
import type { FaceCheck } from './holder/face-checks.ts'
import type { Offer } from './holder/offers.ts'
import type { ProofRequest } from './holder/proof-requests.ts'
import type { WalletError } from './wallet-error.ts'

/** What an app hears of, by name. Each is told when it has been stored, so a list shows it already. */
export type WalletEvents = {
  /** A connection was begun, is complete, or has failed. */
  readonly connectionChanged: Connection
  /** An offer came, was accepted, or is over: `state` says which. */
  readonly offerChanged: Offer
  readonly credentialReceived: Credential
  readonly credentialDeleted: { readonly id: string }
  /** A proof request came, was answered, or is over. */
  readonly proofRequestChanged: ProofRequest
  /** A check of the face is required, an attempt was not passed, or there are no more. */
  readonly faceCheckChanged: FaceCheck
  /**
   * A message that could not be read, or one of the wallet's own that was given up: `error` is there with the latter, and
   * the exchange that waited for it is told as `abandoned`, a connection that did as `failed`.
   */
  readonly messageDropped: { readonly reason: string; readonly error?: WalletError }
  /** Fetching in the foreground failed; it goes on by itself. */
  readonly syncFailed: WalletError
}

export type WalletEventName = keyof WalletEvents
export type WalletEvent = {
  readonly [Name in WalletEventName]: { readonly name: Name; readonly data: WalletEvents[Name] }
}[WalletEventName]

type Listener = (data: never) => void

/** Who listens. What a listener throws is its own affair. */
export class Listeners {
  readonly #listeners = new Map<WalletEventName, Set<Listener>>()

  on<Name extends WalletEventName>(name: Name, listener: (data: WalletEvents[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => void listeners.delete(listener)
  }

  tell({ name, data }: WalletEvent): void {
    for (const listener of this.#listeners.get(name) ?? []) {
      try {
        listener(data as never)
      } catch {
        // The wallet goes on.
      }
    }
  }
}
