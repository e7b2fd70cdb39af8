import bs58 from 'bs58'
import { isJson, type Json } from '../../didcomm/json.ts'
import { didKeyOf, type KeyPair, signWith } from '../../didcomm/keys.ts'
import { composeMessage, isType, type Message, messageIdIn, protocolOf } from '../../didcomm/message.ts'
import { documentFor, genesisDid, longFormDid, peerFormOf } from '../../didcomm/peer-did.ts'
import { peer2Did } from '../../didcomm/peer-did-2.ts'
import { CONNECTIONS } from '../../didcomm/protocols/connections.ts'
import { signAttachment } from '../../didcomm/signed-attachment.ts'
import { PREFIX } from '../../domain/message-prefix.ts'
import { servicesOf } from './addresses.ts'

// The phone's connection to its mailbox. Of what the phone says of itself nothing is needed but the key that it writes
// with: it is answered on the way that it came.

const DID_EXCHANGE = 'didexchange/1.1'
const DID_LENGTH_MAX = 20_000

type InvitationFacts = {
  readonly id: string
  readonly ownKey: string
  /** Of the mailbox, the one that is preferred first. */
  readonly addresses: readonly string[]
}

/** Out-of-band 1.1 with inline services, for wallets that speak either protocol of connections. */
export const mailboxInvitation = ({ id, ownKey, addresses }: InvitationFacts): Json => ({
  '@type': `${PREFIX}out-of-band/1.1/invitation`,
  '@id': id,
  label: 'Mediator',
  goal_code: 'mediate',
  accept: ['didcomm/aip1', 'didcomm/aip2;env=rfc19'],
  handshake_protocols: [`${PREFIX}${DID_EXCHANGE}`, `${PREFIX}${CONNECTIONS}`],
  services: addresses.map((serviceEndpoint, index) => ({
    id: `#inline-${index}`,
    type: 'did-communication',
    serviceEndpoint,
    recipientKeys: [didKeyOf(ownKey)],
    routingKeys: [],
  })),
})

export type PhoneRequest = {
  readonly id: string
  /** Does for the answer what `did` says: the form of the phone's name; null in the older protocol. */
  readonly did: string | null
  readonly invitationId: string | null
  readonly message: Message
}

/** Null for a message that asks for no connection. Throws on one that cannot be read. */
export const phoneRequestOf = (message: Message): PhoneRequest | null => {
  const { id, parentThreadId: invitationId, body } = message
  if (isType(message, CONNECTIONS, 'request'))
    return isJson(body['connection']) ? { id, did: null, invitationId, message } : null
  if (!isType(message, DID_EXCHANGE, 'request')) return null
  const { did } = body
  return typeof did === 'string' && did.length <= DID_LENGTH_MAX ? { id, did, invitationId, message } : null
}

/** The last message of either handshake, which says nothing more than that there is one. */
export const isHandshakeEnd = (message: Message): boolean =>
  isType(message, DID_EXCHANGE, 'complete') ||
  isType(message, CONNECTIONS, 'ack') ||
  isType(message, 'notification/1.0', 'ack')

export type PhoneResponse = {
  readonly request: PhoneRequest
  readonly addresses: readonly string[]
  readonly ownKey: string
  /** Signs for the invitation: the phone knows nothing else of us yet. */
  readonly invitationKey: KeyPair
  readonly atMs: number
}

export const phoneResponse = (response: PhoneResponse): string => {
  const { message, invitationId, id } = response.request
  const frame = {
    id: messageIdIn(id, 'response'),
    prefix: message.prefix,
    type: `${protocolOf(message)}/response`,
    thread: { thid: message.threadId, ...(invitationId !== null && { pthid: invitationId }) },
  }
  const { did } = response.request
  return composeMessage({
    ...frame,
    ...(did === null ? signedConnection(response) : proved(response, did)),
  })
}

/** Our name has the form of theirs, where there is one that says itself what it stands for; else it is sent along. */
const proved = ({ addresses, ownKey, invitationKey }: PhoneResponse, theirDid: string): Json => {
  const form = peerFormOf(theirDid)
  if (form === '2') return rotatedTo(peer2At(addresses, ownKey), invitationKey)
  const document = documentAt(addresses, ownKey)
  if (form === '1' || form === 'unqualified') {
    const did = genesisDid(document)
    const text = JSON.stringify({ ...document, id: did })
    return { did, 'did_doc~attach': signAttachment('did-doc', text, 'application/json', invitationKey) }
  }
  return rotatedTo(longFormDid(document), invitationKey)
}

const rotatedTo = (did: string, invitationKey: KeyPair): Json => ({
  did,
  'did_rotate~attach': signAttachment('did-rotate', did, null, invitationKey),
})

const peer2At = (addresses: readonly string[], ownKey: string): string => {
  const [first, ...others] = servicesOf(addresses, ownKey)
  if (first === undefined) throw new Error('a mailbox has addresses')
  return peer2Did(first, ...others)
}

/** One key, and a service for each address. */
const documentAt = (addresses: readonly string[], ownKey: string): Json => {
  const [document, ...others] = servicesOf(addresses, ownKey).map(documentFor)
  const services = [document, ...others].flatMap((each) => each?.['service'] as readonly Json[])
  return {
    ...document,
    service: services.map((service, index) => ({ ...service, id: `#inline-${index}`, priority: index })),
  }
}

/** RFC 0160: the document is signed together with the time. */
const signedConnection = ({ addresses, ownKey, invitationKey, atMs }: PhoneResponse): Json => {
  const key = bs58.decode(ownKey)
  const did = bs58.encode(key.subarray(0, 16))
  const document = {
    '@context': 'https://w3id.org/did/v1',
    id: did,
    publicKey: [
      { id: `${did}#1`, type: 'Ed25519VerificationKey2018', controller: did, publicKeyBase58: ownKey },
    ],
    authentication: [{ type: 'Ed25519SignatureAuthentication2018', publicKey: `${did}#1` }],
    service: addresses.map((serviceEndpoint, priority) => ({
      id: `${did}#IndyAgentService-${priority}`,
      type: 'IndyAgent',
      priority,
      recipientKeys: [ownKey],
      routingKeys: [],
      serviceEndpoint,
    })),
  }
  const seconds = Buffer.alloc(8)
  seconds.writeBigUInt64BE(BigInt(Math.floor(atMs / 1_000)))
  const signed = Buffer.concat([seconds, Buffer.from(JSON.stringify({ DID: did, DIDDoc: document }))])
  return {
    'connection~sig': {
      '@type': `${PREFIX}signature/1.0/ed25519Sha512_single`,
      signature: signWith(invitationKey, signed).toString('base64url'),
      sig_data: signed.toString('base64url'),
      signer: invitationKey.publicKeyBase58,
    },
  }
}
