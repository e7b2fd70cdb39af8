import type { TheirService } from '../actors/connection/state.ts'
import type { JsonText } from './anoncreds.ts'

/** Who is written to, and the seed of the key that the connection alone uses. */
export type Correspondent = { readonly service: TheirService; readonly ownSeed: string }

/**
 * Messages to wallets. Each resolves when the wallet's endpoint, or its mediator, accepted the message; a throw means
 * "not yet". What is sent again is the same message with the same id.
 */
export interface Messenger {
  connectionResponse(
    to: Correspondent,
    facts: {
      readonly connectionId: string
      readonly threadId: string
      readonly invitationId: string
      readonly theirDid: string
      readonly invitationSeed: string
    },
    signal: AbortSignal,
  ): Promise<void>
  credentialOffer(
    to: Correspondent,
    facts: {
      readonly threadId: string
      readonly attributes: Readonly<Record<string, string>>
      readonly offer: JsonText
    },
    signal: AbortSignal,
  ): Promise<void>
  credential(
    to: Correspondent,
    facts: { readonly threadId: string; readonly credential: JsonText },
    signal: AbortSignal,
  ): Promise<void>
  proofRequest(
    to: Correspondent,
    facts: { readonly threadId: string; readonly request: JsonText },
    signal: AbortSignal,
  ): Promise<void>
  proofAck(to: Correspondent, facts: { readonly threadId: string }, signal: AbortSignal): Promise<void>
  problem(
    to: Correspondent,
    facts: { readonly protocol: string; readonly threadId: string; readonly text: string },
    signal: AbortSignal,
  ): Promise<void>
}
