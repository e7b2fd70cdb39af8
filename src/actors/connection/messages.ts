import { didCommServiceOf, signingKeysOf } from '../../didcomm/did-document.ts'
import type { KeyPair } from '../../didcomm/keys.ts'
import { composeMessage, isType, type Message, messageIdIn, protocolOf } from '../../didcomm/message.ts'
import {
  documentFor,
  documentOfLongForm,
  genesisDid,
  longFormDid,
  peerFormOf,
} from '../../didcomm/peer-did.ts'
import { problemReportMessage, problemReportOf } from '../../didcomm/problem-report.ts'
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

export const isHandshakeRequest = (message: Message): boolean => isType(message, PROTOCOL, 'request')
export const isHandshakeComplete = (message: Message): boolean => isType(message, PROTOCOL, 'complete')

/** Null for a problem report that cannot be read. */
export const handshakeProblem = (message: Message, atMs: number): ConnectionCommand | null => {
  const problem = readable(() => problemReportOf(message))
  return problem && { type: 'ReceiveConnectionProblem', atMs, code: problem.code, text: problem.text }
}

/** Null when the sender can't be reached by what it says, or did not sign what it attached. */
export const parseHandshakeRequest = (message: Message): HandshakeRequest | null => {
  const { did, label } = message.body
  if (typeof did !== 'string' || did.length > 20_000) return null
  const theirService = didCommServiceOf(documentBehind(did, message.body['did_doc~attach']))
  if (!theirService) return null
  return {
    threadId: message.threadId,
    invitationId: message.parentThreadId,
    theirDid: did,
    theirLabel: typeof label === 'string' ? label.slice(0, 200) : null,
    theirService,
    protocol: protocolOf(message) === 'didexchange/1.0' ? 'didexchange/1.0' : PROTOCOL,
    prefix: message.prefix,
  }
}

const documentBehind = (did: string, attachment: unknown): unknown => {
  const form = peerFormOf(did)
  if (form === '4') return documentOfLongForm(did)
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
}

/** Our DID takes the form of theirs. A did:peer:4 is proved by a signature over its name, a did:peer:1 over its document. */
export const handshakeResponse = ({ request, own, invitationKey }: ResponseFacts): string => {
  const document = documentFor(own)
  const thread = {
    thid: request.threadId,
    ...(request.invitationId === null ? {} : { pthid: request.invitationId }),
  }
  const { protocol, prefix } = request
  const id = messageIdIn(request.threadId, 'response')
  const frame = { id, prefix, type: `${protocol}/response`, thread }
  if (peerFormOf(request.theirDid) === '4') {
    const did = longFormDid(document)
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
