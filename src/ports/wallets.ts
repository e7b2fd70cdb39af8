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
 * Of which exchange a message is. Where it waits here it is sealed with that one's key, and ends with it. One that says that
 * the exchange is over (`isOver`) has nothing of a person in it: it outlives the exchange, and what waits of that goes first.
 */
export type MessageOf = { readonly exchange: string; readonly isOver: boolean }

/**
 * Sends one message. Resolves when the wallet's endpoint, or its mediator, accepted it; a throw means "not yet". What
 * is sent again is the same message with the same id. `sending` is the same for all attempts at it, also after a crash:
 * the attempt before may have arrived although nobody heard so. It is another one where a wallet is to get the message
 * once more.
 */
export type Deliver = {
  (to: Recipient, message: string, signal: AbortSignal, sending: string, of?: MessageOf | null): Promise<void>
  /**
   * Whether the wallet waits for its messages here, so that nothing goes out, and what has begun is not called back. Left out
   * where every message goes out.
   */
  readonly staysInside?: (service: WalletService) => boolean
}

/** A message of our own to a wallet that waits here, beside the envelope around it, which is another at each attempt. */
export type OwnMessage = { readonly text: string; readonly sending: string; readonly of: MessageOf | null }
