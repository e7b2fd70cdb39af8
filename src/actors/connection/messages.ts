import {
  didCommServiceOf,
  type IsCallable,
  signingKeysOf,
  whyUnreachable,
} from '../../didcomm/did-document.ts'
import type { Message } from '../../didcomm/message.ts'
import { readable } from '../../didcomm/opened-envelope.ts'
import { documentOfPeer2 } from '../../didcomm/peer-did-2.ts'
import { DID_LENGTH_MAX, documentOfLongForm, peerFormOf } from '../../didcomm/peer-did.ts'
import { problemReportOf } from '../../didcomm/problem-report.ts'
import { connectionIn, isConnectionRequest } from '../../didcomm/protocols/connections.ts'
import { didIn } from '../../didcomm/protocols/did-exchange.ts'
import { type AnsweredRequest, spokenIn } from '../../didcomm/protocols/handshake.ts'
import { openSignedAttachment } from '../../didcomm/signed-attachment.ts'
import type { WalletService } from '../../ports/wallets.ts'
import type { ConnectionCommand } from './state.ts'

export type HandshakeRequest = AnsweredRequest & {
  readonly theirDid: string
  readonly theirLabel: string | null
  readonly theirService: WalletService
}

/** Null for a problem report that cannot be read. */
export const handshakeProblem = (message: Message, atMs: number): ConnectionCommand | null => {
  const problem = readable(() => problemReportOf(message))
  return problem && { type: 'ReceiveConnectionProblem', atMs, code: problem.code, text: problem.text }
}

/** Null when the sender can't be reached by what it says, or did not sign what it attached. */
export const parseHandshakeRequest = (message: Message, isCallable?: IsCallable): HandshakeRequest | null => {
  const { did, document } = introducedBy(message)
  const theirService = didCommServiceOf(document, isCallable)
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

type Introduced = { readonly did: string | null; readonly document: unknown }
const nobody: Introduced = { did: null, document: null }

const introducedBy = (message: Message): Introduced => {
  if (!isConnectionRequest(message)) {
    const did = didIn(message)
    return did === null ? nobody : { did, document: documentBehind(did, message.body['did_doc~attach']) }
  }
  const found = connectionIn(message)
  return found === null || found.did.length > DID_LENGTH_MAX ? nobody : found
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

export const HANDSHAKE_OVER = 'The connection was given up before.'
