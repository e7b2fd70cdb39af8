import type { Deliver, WalletService } from '../ports/wallets.ts'
import { pack, wrapForRoute } from './envelope.ts'
import { keyPairFromSeed } from './keys.ts'

type Ports = {
  /** Resolves when the endpoint accepted the envelope. */
  readonly send: (endpoint: string, envelope: string, signal: AbortSignal) => Promise<void>
  readonly newId: () => string
  /** Resolves when the envelope was taken at an address of our own, with true; false for an address elsewhere. */
  readonly takeIn: (service: WalletService, envelope: string) => Promise<boolean>
}

/** Messages in envelopes to the endpoint of a wallet, wrapped for each mediator on the way. */
export const deliverTo =
  ({ send, newId, takeIn }: Ports): Deliver =>
  async ({ service, ownSeed }, message, signal) => {
    const { endpoint, recipientKeys, routingKeys } = service
    const envelope = pack(message, recipientKeys, keyPairFromSeed(Buffer.from(ownSeed, 'base64url')))
    if (await takeIn(service, envelope)) return
    await send(endpoint, wrapForRoute(envelope, recipientKeys[0] ?? '', routingKeys, newId), signal)
  }
