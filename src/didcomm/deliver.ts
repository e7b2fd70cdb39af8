import type { Deliver, OwnMessage, WalletService } from '../ports/wallets.ts'
import { pack, wrapForRoute } from './envelope.ts'
import { pairOf } from './keys.ts'

type Ports = {
  /** Resolves when the endpoint accepted the envelope. */
  readonly send: (endpoint: string, envelope: string, signal: AbortSignal) => Promise<void>
  readonly newId: () => string
  readonly inside: Inside
}

/** What lies under our own address: the mediator, which needs no forward around an envelope, and whoever else is written to. */
export type Inside = {
  /** Whether the mediator keeps messages for it; false also before that is open. */
  readonly keepsFor: (service: WalletService) => boolean
  /**
   * Resolves, once everything is open, when the envelope is durable here; with false for a wallet elsewhere. What has begun
   * by then cannot be called back: `signal` counts until everything is open. Envelopes of one `message` are kept once.
   */
  readonly take: (
    service: WalletService,
    sent: { readonly envelope: string; readonly message: OwnMessage },
    signal: AbortSignal,
  ) => Promise<boolean>
}

/** Messages in envelopes to the endpoint of a wallet, wrapped for each mediator on the way. */
export const deliverTo = ({ send, newId, inside }: Ports): Deliver => {
  const deliver: Deliver = async ({ service, ownSeed }, text, signal, sending, of = null) => {
    const { endpoint, recipientKeys, routingKeys } = service
    const envelope = pack(text, recipientKeys, pairOf(ownSeed))
    if (await inside.take(service, { envelope, message: { text, sending, of } }, signal)) return
    await send(endpoint, wrapForRoute(envelope, recipientKeys[0] ?? '', routingKeys, newId), signal)
  }
  return Object.assign(deliver, { staysInside: inside.keepsFor })
}

/** Where no wallet waits for its messages. */
export const nothingInside: Inside = {
  keepsFor: () => false,
  take: () => Promise.resolve(false),
}
