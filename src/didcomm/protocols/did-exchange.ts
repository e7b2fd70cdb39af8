import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { Json } from '../json.ts'
import type { KeyPair } from '../keys.ts'
import { composeMessage, isType, type Message, messageIdIn } from '../message.ts'
import { peer2Did } from '../peer-did-2.ts'
import {
  DID_LENGTH_MAX,
  documentFor,
  genesisDid,
  longFormDid,
  peerFormOf,
  type Services,
} from '../peer-did.ts'
import { signAttachment } from '../signed-attachment.ts'

/** The newer handshake (RFC 0023), in the version that invitations ask for. */
export const DID_EXCHANGE = 'didexchange/1.1'

export const isDidExchangeRequest = (message: Message): boolean => isType(message, DID_EXCHANGE, 'request')
export const isHandshakeComplete = (message: Message): boolean => isType(message, DID_EXCHANGE, 'complete')

/** What a request says that its sender is called; null where it names nobody. */
export const didIn = ({ body: { did } }: Message): string | null =>
  typeof did === 'string' && did.length <= DID_LENGTH_MAX ? did : null

type Answer = {
  readonly threadId: string
  readonly invitationId: string | null
  readonly theirDid: string | null
  /** With the version that the other side speaks. */
  readonly protocol: string
  readonly prefix: MessagePrefix
  readonly own: Services
  /** Signs for the invitation: the other side knows nothing else of us yet. */
  readonly invitationKey: KeyPair
}

export const didExchangeResponse = (answer: Answer): string => {
  const { threadId, invitationId, protocol, prefix } = answer
  return composeMessage({
    id: messageIdIn(threadId, 'response'),
    prefix,
    type: `${protocol}/response`,
    thread: { thid: threadId, ...(invitationId !== null && { pthid: invitationId }) },
    ...provedDid(answer),
  })
}

/**
 * Our DID takes the form of theirs. One that contains its document is proved by a signature over its name, any other over
 * the document.
 */
const provedDid = ({ theirDid, own: [first, ...others], invitationKey }: Answer): Json => {
  const form = theirDid === null ? null : peerFormOf(theirDid)
  if (form === '2') return signedName(peer2Did(first, ...others), invitationKey)
  const document = documentFor(first, ...others)
  if (form !== '1' && form !== 'unqualified') return signedName(longFormDid(document), invitationKey)
  const did = genesisDid(document)
  const text = JSON.stringify({ ...document, id: did })
  return { did, 'did_doc~attach': signAttachment('did-doc', text, 'application/json', invitationKey) }
}

const signedName = (did: string, invitationKey: KeyPair): Json => ({
  did,
  'did_rotate~attach': signAttachment('did-rotate', did, null, invitationKey),
})
