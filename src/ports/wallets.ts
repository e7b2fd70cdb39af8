/**
 * Where a wallet, or its mediator, takes messages, in one form for all forms of documents and invitations. Keys are
 * base58 Ed25519.
 */
export type WalletService = {
  readonly endpoint: string
  readonly recipientKeys: readonly string[]
  readonly routingKeys: readonly string[]
}

/** Who is written to, and the seed of the key that we alone use for them. */
export type Recipient = { readonly service: WalletService; readonly ownSeed: string }

/**
 * Sends one message. Resolves when the wallet's endpoint, or its mediator, accepted it; a throw means "not yet". What
 * is sent again is the same message with the same id. `sending` is the same for all attempts at it, also after a crash:
 * the attempt before may have arrived although nobody heard so. It is another one where a wallet is to get the message
 * once more.
 */
export type Deliver = {
  (to: Recipient, message: string, signal: AbortSignal, sending: string): Promise<void>
  /**
   * Whether the wallet waits for its messages here, so that nothing goes out, and what has begun is not called back. Left out
   * where every message goes out.
   */
  readonly staysInside?: (service: WalletService) => boolean
}
