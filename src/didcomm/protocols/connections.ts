import bs58 from 'bs58'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import { isJson, type Json } from '../json.ts'
import { type KeyPair, signWith } from '../keys.ts'
import { composeMessage, isType, type Message, messageIdIn } from '../message.ts'
import type { Services } from '../peer-did.ts'

/** The older handshake (RFC 0160), in which documents and DIDs have the form that they had before the standard. */
export const CONNECTIONS = 'connections/1.0'

export const isConnectionRequest = (message: Message): boolean => isType(message, CONNECTIONS, 'request')

/** The DID and the document in a request; null where there are none. Who sealed the request says that it is its own. */
export const connectionIn = ({ body }: Message): { readonly did: string; readonly document: Json } | null => {
  const { connection } = body
  if (!isJson(connection)) return null
  const { DID: did, DIDDoc: document } = connection
  return typeof did === 'string' && isJson(document) ? { did, document } : null
}

type Answer = {
  readonly threadId: string
  readonly prefix: MessagePrefix
  readonly own: Services
  /** Signs for the invitation: the other side knows nothing else of us yet. */
  readonly invitationKey: KeyPair
  readonly atMs: number
}

export const connectionResponse = ({ threadId, prefix, own, invitationKey, atMs }: Answer): string => {
  const { did, document } = oldDocumentFor(own)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(BigInt(Math.floor(atMs / 1_000)))
  const signed = Buffer.concat([time, Buffer.from(JSON.stringify({ DID: did, DIDDoc: document }))])
  return composeMessage({
    id: messageIdIn(threadId, 'response'),
    prefix,
    type: `${CONNECTIONS}/response`,
    thread: { thid: threadId },
    'connection~sig': {
      '@type': `${prefix}signature/1.0/ed25519Sha512_single`,
      signature: signWith(invitationKey, signed).toString('base64url'),
      sig_data: signed.toString('base64url'),
      signer: invitationKey.publicKeyBase58,
    },
  })
}

/** An unqualified DID, made from the first key as the ledger would name it, and its document. */
const oldDocumentFor = (services: Services) => {
  const [{ recipientKeys }] = services
  const did = bs58.encode(bs58.decode(recipientKeys[0] ?? '').subarray(0, 16))
  const keys = recipientKeys.map((key, index) => ({
    id: `${did}#${index + 1}`,
    type: 'Ed25519VerificationKey2018',
    controller: did,
    publicKeyBase58: key,
  }))
  const document = {
    '@context': 'https://w3id.org/did/v1',
    id: did,
    publicKey: keys,
    authentication: keys.map(({ id }) => ({ type: 'Ed25519SignatureAuthentication2018', publicKey: id })),
    service: services.map(({ endpoint, routingKeys }, priority) => ({
      id: priority === 0 ? `${did};indy` : `${did};indy-${priority}`,
      type: 'IndyAgent',
      priority,
      recipientKeys,
      routingKeys,
      serviceEndpoint: endpoint,
    })),
  }
  return { did, document }
}
