import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { pack, unpack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, type KeyPair, verifyWith } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, documentOfLongForm, genesisDid, longFormDid } from '../../../src/didcomm/peer-did.ts'
import { documentOfPeer2, peer2Did } from '../../../src/didcomm/peer-did-2.ts'
import { openSignedAttachment, signAttachment } from '../../../src/didcomm/signed-attachment.ts'

export type Json = Readonly<Record<string, unknown>>

/** Takes an envelope to an address; answers with the one that came back on the same way, if one did. */
export type Send = (address: string, envelope: string) => Promise<string | null>

export const handshakes = ['did:peer:4', 'did:peer:2', 'did:peer:1', 'connections/1.0'] as const
export type Handshake = (typeof handshakes)[number]

const RETURN: Json = { '~transport': { return_route: 'all' } }
/** What a wallet says of itself that cannot be reached. */
const QUEUE = 'didcomm:transport/queue'

let messages = 0

export const openWith = (own: KeyPair, envelope: string): Json & { readonly from?: string | null } => {
  const { message, senderKey } = unpack(envelope, (key) => (key === own.publicKeyBase58 ? own : null))
  return { ...(JSON.parse(message) as Json), from: senderKey }
}

type Place = { readonly address: string; readonly key: string }

/** A wallet of a few lines, which says exactly what a test wants to be said. */
export class HandMadeWallet {
  readonly own: KeyPair
  readonly #send: Send
  /** Where it reaches its mailbox. */
  mailbox: Place = { address: '', key: '' }

  constructor(send: Send, own: KeyPair = createKeyPair()) {
    this.#send = send
    this.own = own
  }

  async connect(url: string, handshake: Handshake = 'did:peer:4'): Promise<void> {
    const invitation = invitationIn(url)
    const response = await this.request(url, handshake)
    if (response === null) throw new Error('no answer to the request')
    this.mailbox = mailboxIn(response, invitation.place.key)
    const type = handshake === 'connections/1.0' ? 'notification/1.0/ack' : 'didexchange/1.1/complete'
    await this.say(type, { '~thread': { thid: 'request', pthid: invitation.id } })
  }

  /** Answers an invitation. `more`: fields that the request has instead of the usual ones. */
  request(url: string, handshake: Handshake = 'did:peer:4', more: Json = {}): Promise<Json | null> {
    const { id, place } = invitationIn(url)
    const thread = { '~thread': { thid: 'request', pthid: id } }
    return this.#ask(place, { '@id': 'request', ...thread, ...requestAs(handshake, this.own), ...more })
  }

  /** Over the connection with its mailbox. */
  say(
    type: string,
    more: Json = {},
    from: KeyPair = this.own,
    place: Place = this.mailbox,
  ): Promise<Json | null> {
    return this.#ask(place, { type, ...more }, from)
  }

  keylistUpdate(keys: readonly KeyPair[], action = 'add'): Promise<Json | null> {
    const updates = keys.map(({ publicKeyBase58 }) => ({ recipient_key: publicKeyBase58, action }))
    return this.say('coordinate-mediation/1.0/keylist-update', { updates })
  }

  /** What waits for it, as it was sent, and by which ids it is to be acknowledged. */
  async waiting(limit = 50): Promise<readonly Delivered[]> {
    return deliveredIn(await this.say('messagepickup/2.0/delivery-request', { limit }))
  }

  async #ask({ address, key }: Place, fields: Json, from: KeyPair = this.own): Promise<Json | null> {
    const { type = '', ...more } = fields
    const message = composeMessage({ id: `message-${++messages}`, type: String(type), ...RETURN, ...more })
    const answer = await this.#send(address, pack(message, [key], from))
    return answer === null ? null : openWith(this.own, answer)
  }
}

/** What became of each key of a keylist update. */
export const updatedIn = (answer: Json | null): readonly Json[] =>
  (answer?.['updated'] ?? []) as readonly Json[]

export type Delivered = { readonly id: string; readonly envelope: string }

export const deliveredIn = (delivery: Json | null): readonly Delivered[] =>
  ((delivery?.['~attach'] ?? []) as { '@id': string; data: { base64: string } }[]).map((each) => ({
    id: each['@id'],
    envelope: Buffer.from(each.data.base64, 'base64').toString(),
  }))

/** A message to a key, inside a forward to the mediator. */
export const forwardTo = (
  key: string,
  routingKey: string,
  text: string,
): { readonly envelope: string; readonly forward: string } => {
  const envelope = pack(text, [key], null)
  const fields = { to: key, msg: JSON.parse(envelope) as unknown }
  const message = composeMessage({ id: `message-${++messages}`, type: 'routing/1.0/forward', ...fields })
  return { envelope, forward: pack(message, [routingKey], null) }
}

const invitationIn = (url: string): { readonly id: string; readonly place: Place } => {
  const text = Buffer.from(new URL(url).searchParams.get('oob') ?? '', 'base64url').toString()
  const { '@id': id, services } = JSON.parse(text) as { '@id': string; services: readonly Json[] }
  return { id, place: placeIn({ service: services.slice(0, 1) }) }
}

const placeIn = (document: unknown): Place => {
  const service = didCommServiceOf(document)
  return { address: service?.endpoint ?? '', key: service?.recipientKeys[0] ?? '' }
}

const requestAs = (handshake: Handshake, own: KeyPair): Json => {
  const service = { endpoint: QUEUE, recipientKeys: [own.publicKeyBase58], routingKeys: [] }
  const document = documentFor(service)
  if (handshake === 'did:peer:4')
    return { type: 'didexchange/1.1/request', label: 'phone', did: longFormDid(document) }
  if (handshake === 'did:peer:2')
    return { type: 'didexchange/1.1/request', label: 'phone', did: peer2Did(service) }
  const did = genesisDid(document)
  if (handshake === 'connections/1.0')
    return {
      type: 'connections/1.0/request',
      label: 'phone',
      connection: { DID: did, DIDDoc: { ...document, id: did } },
    }
  const text = JSON.stringify({ ...document, id: did })
  const attachment = signAttachment('did-doc', text, 'application/json', own)
  return { type: 'didexchange/1.1/request', label: 'phone', did, 'did_doc~attach': attachment }
}

/** Where the mailbox is, if the key of the invitation has signed for it. */
const mailboxIn = (response: Json, invitationKey: string): Place => {
  const signature = response['connection~sig'] as { signature: string; sig_data: string } | undefined
  if (signature !== undefined) {
    const data = Buffer.from(signature.sig_data, 'base64')
    const isSigned = verifyWith(invitationKey, data, Buffer.from(signature.signature, 'base64'))
    if (!isSigned) throw new Error('the connection is not signed')
    return placeIn((JSON.parse(data.subarray(8).toString()) as { DIDDoc: unknown }).DIDDoc)
  }
  const isWhole = response['did_doc~attach'] !== undefined
  const opened = openSignedAttachment(response['did_doc~attach'] ?? response['did_rotate~attach'])
  if (opened?.signerKey !== invitationKey) throw new Error(`not signed: ${JSON.stringify(response)}`)
  const { payload } = opened
  return placeIn(isWhole ? JSON.parse(payload) : (documentOfLongForm(payload) ?? documentOfPeer2(payload)))
}
