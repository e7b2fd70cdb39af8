// A wallet behind a mediator: the protocols of a real one, without an agent around them.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { pack, unpack, wrapForRoute } from '../../src/didcomm/envelope.ts'
import { jsonOf, listOf, type Json } from '../../src/didcomm/json.ts'
import { createKeyPair, didKeyOf, ed25519KeyOf, type KeyPair } from '../../src/didcomm/keys.ts'
import { composeMessage } from '../../src/didcomm/message.ts'
import { documentFor, documentOfLongForm, longFormDid } from '../../src/didcomm/peer-did.ts'
import { postJson } from './post.ts'

const HEADERS = { 'Content-Type': 'application/didcomm-envelope-enc' }
const QUEUE = 'didcomm:transport/queue'
const NUMBER_DIGITS = 12
const RETURN = { '~transport': { return_route: 'all' } }

type Mediator = {
  readonly http: string
  /** Null where the mediator takes no sockets. */
  readonly socket: string | null
  readonly key: string
}

/** Where others send what is for a wallet. */
export type Route = {
  readonly endpoint: string
  readonly routingKeys: readonly string[]
  readonly to: string
}

/** A message that the mediator holds, by the id under which it is acknowledged. */
export type Waiting = { readonly id: string; readonly envelope: string }

export class LightWallet {
  readonly #own = createKeyPair()
  readonly #recipient = createKeyPair()
  #mediator: Mediator
  route: Route = { endpoint: '', routingKeys: [], to: this.#recipient.publicKeyBase58 }
  socket: WebSocket | null = null
  /** Resolves when the last socket that was opened is gone. */
  closed: Promise<void> = Promise.resolve()
  /** Resolves when something was answered on it. */
  ponged: Promise<void> = Promise.resolve()

  private constructor(mediator: Mediator) {
    this.#mediator = mediator
  }

  /** Connects with the mediator of the invitation, asks for mediation and registers the key that others write to. */
  static async register(invitationUrl: string): Promise<LightWallet> {
    const text = Buffer.from(new URL(invitationUrl).searchParams.get('oob') ?? '', 'base64url').toString(
      'utf8',
    )
    const invitation = jsonOf(text) ?? {}
    const wallet = new LightWallet(mediatorIn(listOf(invitation['services']), null))
    const thid = randomUUID()
    const thread = { thid, pthid: String(invitation['@id']) }
    const service = { endpoint: QUEUE, recipientKeys: [wallet.#own.publicKeyBase58], routingKeys: [] }
    const fields = { label: 'Phone', did: longFormDid(documentFor(service)) }
    const response = await wallet.#ask('didexchange/1.1/request', { ...fields, thread }, thid)
    const document = documentOfLongForm(String(response['did'])) ?? {}
    wallet.#mediator = mediatorIn(listOf(document['service']), document)
    await wallet.say('didexchange/1.1/complete', { thread })
    const grant = await wallet.#ask('coordinate-mediation/1.0/mediate-request')
    const routingKeys = listOf(grant['routing_keys']).map((key) => ed25519KeyOf(String(key)) ?? '')
    wallet.route = { ...wallet.route, endpoint: String(grant['endpoint']), routingKeys }
    const update = { recipient_key: didKeyOf(wallet.route.to), action: 'add' }
    const answer = await wallet.#ask('coordinate-mediation/1.0/keylist-update', { updates: [update] })
    const [updated] = listOf(answer['updated']) as Json[]
    if (updated?.['result'] !== 'success')
      throw new Error(`the key was not registered: ${JSON.stringify(answer)}`)
    return wallet
  }

  /** One message for this wallet, as an issuer sends it; resolves when the mediator has answered for it. */
  async forward(inner: string): Promise<number> {
    const { endpoint, to, routingKeys } = this.route
    const { status } = await postJson(endpoint, HEADERS, wrapForRoute(inner, to, routingKeys, randomUUID))
    return status
  }

  /** Some of what waits, the oldest first, by pickup 2.0 over HTTP. */
  async waiting(): Promise<readonly Waiting[]> {
    const status = await this.#ask('messagepickup/2.0/status-request')
    if (Number(status['message_count']) === 0) return []
    return waitingIn(await this.#ask('messagepickup/2.0/delivery-request', { limit: 10 }))
  }

  /** Resolves when the mediator has answered that it knows. */
  async acknowledge(messages: readonly Waiting[]): Promise<void> {
    const ids = messages.map(({ id }) => id)
    await this.#ask('messagepickup/2.0/messages-received', { message_id_list: ids })
  }

  /**
   * A socket on which messages are pushed: bare envelopes (`implicit`), or deliveries of pickup 2.0 (`live`), which are
   * acknowledged on it. `arrived` hears of each.
   */
  async openSocket(mode: 'implicit' | 'live', arrived: (envelope: string) => void): Promise<void> {
    const { socket: address } = this.#mediator
    if (address === null) throw new Error('the mediator takes no sockets')
    const socket = new WebSocket(address, { perMessageDeflate: false })
    socket.on('error', () => undefined)
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
    await once(socket, 'open')
    const answered = Promise.withResolvers<void>()
    this.ponged = answered.promise
    socket.on('message', (data: Buffer) => {
      // An envelope of somebody else's, which a real wallet would open, is of no more interest here than that it came.
      const text = data.toString('utf8')
      const message = this.#read(text)
      if (message === null) arrived(text)
      else if (isOfType(message, 'messagepickup/2.0/delivery')) this.#acknowledge(socket, message, arrived)
      else answered.resolve()
    })
    if (mode === 'live') {
      socket.send(this.#pack('messagepickup/2.0/live-delivery-change', { live_delivery: true, ...RETURN }))
      await answered.promise
    } else this.ping(false)
  }

  /** What a wallet of implicit pickup says on its socket; an answer is the first message that `ponged` waits for. */
  ping(isAnswered: boolean): void {
    this.socket?.send(this.#pack('trust_ping/1.0/ping', { response_requested: isAnswered, ...RETURN }))
  }

  /** The bytes of a question for what waits, over HTTP. */
  statusRequest(): string {
    const body = this.#pack('messagepickup/2.0/status-request', RETURN)
    const { host, pathname } = new URL(this.#mediator.http)
    const head = [
      `POST ${pathname} HTTP/1.1`,
      `Host: ${host}`,
      `Content-Type: ${HEADERS['Content-Type']}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]
    return `${head.join('\r\n')}\r\n\r\n${body}`
  }

  get port(): number {
    return Number(new URL(this.#mediator.http).port)
  }

  /** A message that is not answered. */
  async say(type: string, fields: Json = {}): Promise<void> {
    await this.#post(this.#pack(type, { ...fields, ...RETURN }))
  }

  async #ask(type: string, fields: Json = {}, id?: string): Promise<Json> {
    const answer = this.#read(await this.#post(this.#pack(type, { ...fields, ...RETURN }, id)))
    if (answer === null) throw new Error(`${type} was not answered`)
    if (String(answer['@type']).endsWith('/problem-report'))
      throw new Error(`${type} was answered by a problem: ${JSON.stringify(answer)}`)
    return answer
  }

  async #post(envelope: string): Promise<string> {
    const { status, text } = await postJson(this.#mediator.http, HEADERS, envelope)
    if (status < 200 || status > 299) throw new Error(`the mediator answered ${status}: ${text}`)
    return text
  }

  #acknowledge(socket: WebSocket, delivery: Json, arrived: (envelope: string) => void): void {
    const messages = waitingIn(delivery)
    const ids = messages.map(({ id }) => id)
    socket.send(this.#pack('messagepickup/2.0/messages-received', { message_id_list: ids, ...RETURN }))
    for (const { envelope } of messages) arrived(envelope)
  }

  #pack(type: string, fields: Json, id: string = randomUUID()): string {
    return pack(composeMessage({ id, type, ...fields }), [this.#mediator.key], this.#own)
  }

  #read(envelope: string): Json | null {
    try {
      return jsonOf(unpack(envelope, (key) => (key === this.#own.publicKeyBase58 ? this.#own : null)).message)
    } catch {
      return null
    }
  }
}

/** Stands for what an issuer seals for a wallet. No wallet of the benchmark opens such a message, so all are copies of one text with a number. */
export const sealedMessages = (bytes: number): ((number: number) => string) => {
  const recipient: KeyPair = createKeyPair()
  const envelope = pack('x'.repeat(bytes), [recipient.publicKeyBase58], createKeyPair())
  const { ciphertext, ...rest } = JSON.parse(envelope) as { readonly ciphertext: string }
  return (number) => {
    const digits = String(number).padStart(NUMBER_DIGITS, '0')
    return JSON.stringify({ ...rest, ciphertext: digits + ciphertext.slice(digits.length) })
  }
}

/** The number of such a message. */
export const numberOf = (envelope: string): number =>
  Number((JSON.parse(envelope) as { readonly ciphertext: string }).ciphertext.slice(0, NUMBER_DIGITS))

const waitingIn = (delivery: Json): readonly Waiting[] =>
  (listOf(delivery['~attach']) as Json[]).map((attachment) => {
    const { json, base64 } = attachment['data'] as { readonly json?: object; readonly base64?: string }
    const envelope =
      json === undefined ? Buffer.from(base64 ?? '', 'base64').toString('utf8') : JSON.stringify(json)
    return { id: String(attachment['@id']), envelope }
  })

const isOfType = (message: Json, type: string): boolean => String(message['@type']).endsWith(`/${type}`)

/** The services of an invitation carry their keys, those of a document name them. */
const mediatorIn = (services: readonly unknown[], document: Json | null): Mediator => {
  const all = services as Json[]
  const endpointOf = (scheme: string): string | null => {
    const found = all.map((each) => String(each['serviceEndpoint'])).find((each) => each.startsWith(scheme))
    return found ?? null
  }
  const named = String(listOf(all[0]?.['recipientKeys'])[0])
  const key = ed25519KeyOf(named) ?? keyIn(document, named)
  const http = endpointOf('http')
  if (http === null || key === null) throw new Error(`no mediator is in ${JSON.stringify(services)}`)
  return { http, socket: endpointOf('ws'), key }
}

const keyIn = (document: Json | null, reference: string): string | null => {
  const fragment = reference.slice(reference.indexOf('#'))
  const methods = ['authentication', 'verificationMethod'].flatMap((name) =>
    listOf(document?.[name]),
  ) as Json[]
  const method = methods.find(({ id }) => String(id).endsWith(fragment))
  return ed25519KeyOf(String(method?.['publicKeyBase58'] ?? method?.['publicKeyMultibase']))
}
