import { didCommServiceOf, signingKeysOf, whyUnreachable } from '../../didcomm/did-document.ts'
import type { KeyPair } from '../../didcomm/keys.ts'
import { composeMessage, isType, type Message, messageIdIn, protocolOf } from '../../didcomm/message.ts'
import { documentOfPeer2, peer2Did } from '../../didcomm/peer-did-2.ts'
import {
  documentFor,
  documentOfLongForm,
  genesisDid,
  longFormDid,
  peerFormOf,
} from '../../didcomm/peer-did.ts'
import { problemReportMessage, problemReportOf } from '../../didcomm/problem-report.ts'
import {
  connectionIn,
  CONNECTIONS,
  connectionResponse,
  isConnectionRequest,
} from '../../didcomm/protocols/connections.ts'
import { openSignedAttachment, signAttachment } from '../../didcomm/signed-attachment.ts'
import { readable } from '../../didcomm/opened-envelope.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { WalletService } from '../../ports/wallets.ts'
import type { ConnectionCommand, HandshakeProtocol } from './state.ts'

const PROTOCOL = 'didexchange/1.1'

export type HandshakeRequest = {
  readonly threadId: string
  readonly invitationId: string | null
  readonly theirDid: string
  readonly theirLabel: string | null
  readonly theirService: WalletService
  /** As the holder speaks it; the answer is in the same. */
  readonly protocol: HandshakeProtocol
  readonly prefix: MessagePrefix
}

export const isHandshakeRequest = (message: Message): boolean =>
  isType(message, PROTOCOL, 'request') || isConnectionRequest(message)
export const isHandshakeComplete = (message: Message): boolean => isType(message, PROTOCOL, 'complete')

/** Null for a problem report that cannot be read. */
export const handshakeProblem = (message: Message, atMs: number): ConnectionCommand | null => {
  const problem = readable(() => problemReportOf(message))
  return problem && { type: 'ReceiveConnectionProblem', atMs, code: problem.code, text: problem.text }
}

/** Null when the sender can't be reached by what it says, or did not sign what it attached. */
export const parseHandshakeRequest = (message: Message): HandshakeRequest | null => {
  const { did, document } = introducedBy(message)
  const theirService = didCommServiceOf(document)
  if (did === null || !theirService) return null
  const { label } = message.body
  return {
    threadId: message.threadId,
    invitationId: message.parentThreadId,
    theirDid: did,
    theirLabel: typeof label === 'string' ? label.slice(0, 200) : null,
    theirService,
    protocol: spokenIn(message),
    prefix: message.prefix,
  }
}

/** In words for the wallet, of a request that cannot be parsed. */
export const whyNotServed = (message: Message): string => {
  const { document } = introducedBy(message)
  return document === null
    ? 'The request has no DID that can be read here, or its document is not signed by a key of its own.'
    : whyUnreachable(document)
}

const DID_LENGTH_MAX = 20_000

const spokenIn = (message: Message): HandshakeProtocol => {
  if (isConnectionRequest(message)) return CONNECTIONS
  return protocolOf(message) === 'didexchange/1.0' ? 'didexchange/1.0' : PROTOCOL
}

type Introduced = { readonly did: string | null; readonly document: unknown }
const nobody: Introduced = { did: null, document: null }

const introducedBy = (message: Message): Introduced => {
  const own = isConnectionRequest(message)
  const found = own ? connectionIn(message) : { did: message.body['did'], document: null }
  if (found === null || typeof found.did !== 'string' || found.did.length > DID_LENGTH_MAX) return nobody
  const { did } = found
  return { did, document: own ? found.document : documentBehind(did, message.body['did_doc~attach']) }
}

const documentBehind = (did: string, attachment: unknown): unknown => {
  const form = peerFormOf(did)
  if (form === '4') return documentOfLongForm(did)
  if (form === '2') return documentOfPeer2(did)
  if (form !== '1' && form !== 'unqualified') return null
  const opened = openSignedAttachment(attachment)
  if (!opened) return null
  try {
    const document: unknown = JSON.parse(opened.payload)
    return signingKeysOf(document).includes(opened.signerKey) ? document : null
  } catch {
    return null
  }
}

export type ResponseFacts = {
  readonly request: {
    readonly threadId: string
    readonly invitationId: string | null
    readonly theirDid: string
    readonly protocol: HandshakeProtocol
    readonly prefix: MessagePrefix
  }
  readonly own: WalletService
  /** Signs for the invitation: the other side knows nothing else of us yet. */
  readonly invitationKey: KeyPair
  /** When the request came: an answer that is sent again is the same. */
  readonly atMs: number
}

/**
 * Our DID takes the form of theirs. One that contains its document is proved by a signature over its name, any other over
 * the document.
 */
export const handshakeResponse = ({ request, own, invitationKey, atMs }: ResponseFacts): string => {
  if (request.protocol === CONNECTIONS) return connectionResponse({ ...request, own, invitationKey, atMs })
  const document = documentFor(own)
  const thread = {
    thid: request.threadId,
    ...(request.invitationId === null ? {} : { pthid: request.invitationId }),
  }
  const { protocol, prefix } = request
  const id = messageIdIn(request.threadId, 'response')
  const frame = { id, prefix, type: `${protocol}/response`, thread }
  const form = peerFormOf(request.theirDid)
  if (form === '4' || form === '2') {
    const did = form === '4' ? longFormDid(document) : peer2Did(own)
    return composeMessage({
      ...frame,
      did,
      'did_rotate~attach': signAttachment('did-rotate', did, null, invitationKey),
    })
  }
  const did = genesisDid(document)
  const text = JSON.stringify({ ...document, id: did })
  return composeMessage({
    ...frame,
    did,
    'did_doc~attach': signAttachment('did-doc', text, 'application/json', invitationKey),
  })
}

export const HANDSHAKE_OVER = 'The connection was given up before.'

/** To a wallet that may wait for the answer still. */
export const handshakeOver = ({ protocol, prefix, threadId }: ResponseFacts['request']): string =>
  problemReportMessage({
    protocol,
    prefix,
    threadId,
    code: 'request_not_accepted',
    text: HANDSHAKE_OVER,
  })
