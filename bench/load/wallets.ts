// Many light wallets behind one endpoint: the protocols and the AnonCreds of a real holder, without an agent around them.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  attachmentOf,
  composeMessage,
  fieldsWithAttachment,
  parseMessage,
  type Message,
} from '../../src/didcomm/message.ts'
import { didCommServiceOf } from '../../src/didcomm/did-document.ts'
import { OWN_PREFIX } from '../../src/domain/message-prefix.ts'
import type { WalletService } from '../../src/ports/wallets.ts'
import { captureForAws } from '../../tools/vendors/aws/device.ts'
import { pack, unpack } from '../../src/didcomm/envelope.ts'
import { createKeyPair, ed25519KeyOf, type KeyPair } from '../../src/didcomm/keys.ts'
import { documentFor, documentOfLongForm, longFormDid } from '../../src/didcomm/peer-did.ts'
import { IndyLedger } from '../../src/ledger/indy-ledger.ts'
import { signerFromSeed } from '../../src/ledger/signer.ts'
import { createCatalogue } from '../../src/actors/credential-definition/catalogue.ts'
import { HolderCredentials, PreparedCredentials } from './holder-credentials.ts'
import { postJson } from './post.ts'
import { Waves } from './waves.ts'

type Wallet = {
  readonly keys: KeyPair
  readonly invitationId: string
  readonly connected: () => void
  service: WalletService
  credential: string | null
}

type Invitation = {
  readonly '@id': string
  readonly services: readonly {
    readonly serviceEndpoint: string
    readonly recipientKeys: readonly string[]
  }[]
}

const WAIT_MS = 60_000

const wallets = new Map<string, Wallet>()
const trouble: string[] = []
let facesUrl = ''
let leavesOffers = false
let endpoint = ''
let holder: HolderCredentials | PreparedCredentials | null = null
let waves = new Waves(1)
/** Null where wallets answer at once. */
let held: { readonly released: Promise<void>; readonly release: () => void; count: number } | null = null

/** What the wallets answer leaves in waves of this size. */
export async function listen(wave: number): Promise<void> {
  waves = new Waves(wave)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(202).end()
      // The answer leaves before a wallet thinks.
      setImmediate(() => void received(Buffer.concat(chunks).toString('utf8')).catch(note))
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Schemas and definitions are read from the ledger, as every holder does. */
export function useLedger(namespace: string, genesis: string, prepared = false): void {
  const endorser = signerFromSeed(randomBytes(32))
  const limits = { callTimeoutMs: 20_000, callsMax: 100, cachedObjectsMax: 100 }
  const ledger = new IndyLedger({ namespace, genesis, endorser, ...limits })
  const absent = () => Promise.reject(new Error('a wallet has no actors'))
  const actors = { ask: absent, read: absent, askAtomically: absent, askTogether: absent }
  const catalogue = createCatalogue({ ledger, cachedMax: 100 })(actors)
  const real = new HolderCredentials((schemaId, definitionId) =>
    catalogue.forVerifying(schemaId, definitionId),
  )
  holder = prepared ? new PreparedCredentials(real) : real
}

/** Where the vendor of face checks is played. */
export function captureAt(url: string): void {
  facesUrl = url
}

/** From now on what is offered is taken and not answered, as by holders who look at it later. */
export function leaveOffers(): void {
  leavesOffers = true
}

/** A wallet for each invitation, so many under way at a time; resolves when all are connected. */
export async function connect(urls: readonly string[], atOnce: number): Promise<void> {
  const left = [...urls]
  const worker = async (): Promise<void> => {
    for (let url = left.shift(); url !== undefined; url = left.shift()) await accept(url)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  complain()
}

/** Throws away every wallet; throws when one had trouble. */
export function forget(): void {
  wallets.clear()
  complain()
}

/** From now on no wallet sends what ends an exchange: that it has a credential, or what it was asked to show. */
export function holdBack(): void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = { released: promise, release: resolve, count: 0 }
}

/** How many exchanges have come to where only their wallets can go on. */
export function heldBack(): number {
  return held?.count ?? 0
}

/** What was held back leaves. */
export function release(): void {
  held?.release()
  held = null
}

/** The first trouble that a wallet had. */
export function firstTrouble(): string | null {
  return trouble[0] ?? null
}

const accept = async (url: string): Promise<void> => {
  const text = Buffer.from(new URL(url).searchParams.get('oob') ?? '', 'base64url').toString('utf8')
  const invitation = JSON.parse(text) as Invitation
  const [inline] = invitation.services
  if (!inline) throw new Error('the invitation names no service')
  const recipientKeys = inline.recipientKeys.map((key) => ed25519KeyOf(key) ?? '')
  const service = { endpoint: inline.serviceEndpoint, recipientKeys, routingKeys: [] }
  const keys = createKeyPair()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const invitationId = invitation['@id']
  wallets.set(keys.publicKeyBase58, { keys, invitationId, connected: resolve, service, credential: null })
  const id = randomUUID()
  const own = { endpoint, recipientKeys: [keys.publicKeyBase58], routingKeys: [] }
  const message = composeMessage({
    id,
    type: 'didexchange/1.1/request',
    thread: { thid: id, pthid: invitationId },
    label: 'Phone',
    did: longFormDid(documentFor(own)),
  })
  await send(message, service, keys)
  const timer = setTimeout(
    () => reject(new Error(`no answer to a handshake (${trouble[0] ?? 'silence'})`)),
    WAIT_MS,
  )
  await promise.finally(() => clearTimeout(timer))
}

const received = async (envelope: string): Promise<void> => {
  const { message: text, recipientKey } = unpack(envelope, (key) => wallets.get(key)?.keys ?? null)
  const wallet = wallets.get(recipientKey)
  const message = parseMessage(text)
  if (!wallet) return
  if (message) await answer(wallet, message)
}

const answer = async (wallet: Wallet, message: Message): Promise<void> => {
  const { threadId, type, body } = message
  const reply = (replyType: string, fields: Readonly<Record<string, unknown>>, pthid?: string) => {
    const thread = pthid === undefined ? { thid: threadId } : { thid: threadId, pthid }
    const composed = composeMessage({ id: randomUUID(), type: replyType, thread, ...fields })
    return send(composed, wallet.service, wallet.keys)
  }
  const [protocol, , name] = type.split('/')
  if (protocol === 'didexchange' && name === 'response') {
    const service = didCommServiceOf(documentOfLongForm(String(body['did'])))
    if (!service) throw new Error('the response names no service')
    wallet.service = service
    await reply('didexchange/1.1/complete', {}, wallet.invitationId)
    wallet.connected()
  } else if (name === 'offer-credential') {
    if (leavesOffers) return
    const offer = attachmentOf(body, 'offers~attach', 'anoncreds/credential-offer@v1.0')
    const request = await credentials().request(threadId, offer)
    const fields = fieldsWithAttachment(
      'requests~attach',
      'anoncreds/credential-request@v1.0',
      JSON.stringify(request),
    )
    await reply('issue-credential/2.0/request-credential', fields)
  } else if (name === 'issue-credential') {
    const credential = attachmentOf(body, 'credentials~attach', 'anoncreds/credential@v1.0')
    wallet.credential = (await credentials().process(threadId, credential)) ?? wallet.credential
    await untilReleased()
    await reply('issue-credential/2.0/ack', { status: 'OK' })
  } else if (name === 'request-presentation') {
    const asked = attachmentOf(body, 'request_presentations~attach', 'anoncreds/proof-request@v1.0')
    await untilReleased()
    const presentation = await credentials().present(wallet.credential ?? '', asked)
    const fields = fieldsWithAttachment(
      'presentations~attach',
      'anoncreds/proof@v1.0',
      JSON.stringify(presentation),
    )
    await reply('present-proof/2.0/presentation', fields)
  } else if (name === 'required') {
    await reply('biometric-check/1.0/begin', { prefix: OWN_PREFIX })
  } else if (name === 'session') {
    await capture(body['session'] as Readonly<Record<string, string>>)
    await reply('biometric-check/1.0/captured', { prefix: OWN_PREFIX })
  } else if (name === 'problem-report') {
    throw new Error(`the other side reports a problem: ${JSON.stringify(body['description'])}`)
  }
}

const untilReleased = async (): Promise<void> => {
  if (held === null) return
  held.count += 1
  await held.released
}

const capture = async ({
  sessionId = '',
  region = '',
  accessKeyId = '',
  secretAccessKey = '',
  sessionToken = '',
}: Readonly<Record<string, string>>): Promise<void> =>
  captureForAws({
    endpoint: facesUrl,
    region,
    sessionId,
    credentials: { accessKeyId, secretAccessKey, sessionToken },
  })

const credentials = (): HolderCredentials | PreparedCredentials => {
  if (!holder) throw new Error('the wallets know no ledger')
  return holder
}

const send = async (message: string, to: WalletService, keys: KeyPair): Promise<void> => {
  const headers = { 'Content-Type': 'application/didcomm-envelope-enc' }
  const envelope = pack(message, to.recipientKeys, keys)
  await waves.join()
  // A connection that lay idle may be closed while it is taken.
  const posted = postJson(to.endpoint, headers, envelope)
  const { status, text } = await posted.catch(() => postJson(to.endpoint, headers, envelope))
  if (status < 200 || status > 299) throw new Error(`the other side answered ${status}: ${text}`)
}

const note = (error: unknown): void => {
  trouble.push(error instanceof Error ? (error.stack ?? error.message) : String(error))
}

const complain = (): void => {
  const [first] = trouble
  if (first !== undefined) throw new Error(`${trouble.length} wallets had trouble; the first: ${first}`)
}
