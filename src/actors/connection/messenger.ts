import type { Messenger } from '../../ports/messenger.ts'
import { deliverTo } from '../../didcomm/deliver.ts'
import { keyPairFromSeed } from '../../didcomm/keys.ts'
import { PREFIX } from '../../didcomm/message.ts'
import { handshakeResponse } from './messages.ts'
import { credentialMessage, offerMessage } from '../credential/messages.ts'
import { proofAckMessage, proofRequestMessage } from '../proof/messages.ts'
import { problemReportMessage } from '../../didcomm/problem-report.ts'

export type MessengerPorts = {
  /** Resolves when the endpoint accepted the envelope. */
  readonly send: (endpoint: string, envelope: string, signal: AbortSignal) => Promise<void>
  readonly newId: () => string
  /** Where the wallet of a connection writes to. */
  readonly endpointOf: (connectionId: string) => string
}

/** Message ids follow from the thread, so that a message that is sent again is recognised as the same. */
const messageId = (threadId: string, what: string): string => `${threadId.slice(0, 48)}.${what}`

export const createMessenger = ({ send, newId, endpointOf }: MessengerPorts): Messenger => {
  const deliver = deliverTo({ send, newId })
  return {
    connectionResponse(to, { connectionId, threadId, invitationId, theirDid, invitationSeed }, signal) {
      const own = keyPairFromSeed(Buffer.from(to.ownSeed, 'base64url'))
      const message = handshakeResponse({
        messageId: messageId(threadId, 'response'),
        request: { threadId, invitationId, theirDid },
        own: { endpoint: endpointOf(connectionId), recipientKeys: [own.publicKeyBase58], routingKeys: [] },
        invitationKey: keyPairFromSeed(Buffer.from(invitationSeed, 'base64url')),
      })
      return deliver({ service: to.service, ownSeed: invitationSeed }, message, signal)
    },
    /** Owed since CredentialOffered. */
    credentialOffer(to, { threadId, attributes, offer }, signal) {
      return deliver(to, offerMessage({ threadId, attributes, offer: JSON.parse(offer) as unknown }), signal)
    },
    credential(to, { threadId, credential }, signal) {
      const content = JSON.parse(credential) as unknown
      return deliver(
        to,
        credentialMessage({ messageId: messageId(threadId, 'credential'), threadId, credential: content }),
        signal,
      )
    },
    /** Owed since ProofRequested. */
    proofRequest(to, { threadId, request }, signal) {
      return deliver(to, proofRequestMessage({ threadId, request: JSON.parse(request) as unknown }), signal)
    },
    proofAck(to, { threadId }, signal) {
      return deliver(to, proofAckMessage({ messageId: messageId(threadId, 'ack'), threadId }), signal)
    },
    problem(to, { protocol, threadId, text }, signal) {
      const facts = {
        messageId: messageId(threadId, 'problem'),
        protocol,
        prefix: PREFIX,
        threadId,
        code: 'abandoned',
        text,
      } as const
      return deliver(to, problemReportMessage(facts), signal)
    },
  }
}
