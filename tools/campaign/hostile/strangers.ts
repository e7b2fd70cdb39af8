// Everything that somebody without a credential can send, from one process, as fast as that process gets answers.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { Agent } from 'undici'
import { pack } from '../../../src/didcomm/envelope.ts'
import { createKeyPair, ed25519KeyOf } from '../../../src/didcomm/keys.ts'
import { composeMessage } from '../../../src/didcomm/message.ts'
import { documentFor, longFormDid } from '../../../src/didcomm/peer-did.ts'

export type Target = {
  readonly origin: string
  /** A public invitation for many holders, as on a poster. */
  readonly invitationUrl: string
  /** Somebody's connection: its address is no secret to a mediator. */
  readonly connectionId: string
  /** Requests of each sort that are under way at the same time. */
  readonly lanes: number
  readonly slowSockets: number
}

/** How often each sort was answered with each status; 0: no answer. */
export type Sent = Readonly<Record<string, Readonly<Record<string, number>>>>
export type Stopped = {
  readonly sent: Sent
  /** What the service posted to the address that the strangers named as theirs. */
  readonly reflected: { readonly posts: number; readonly bytes: number }
}

/** Not the address that the wallets and the organisation come from. */
const STRANGERS_ADDRESS = '127.0.0.2'
const DRIP_MS = 50
const DRIP_BYTES = 1_024
const ANSWER_LIMIT_MS = 30_000
const WHOLE_ENVELOPES = 200

const sent: Record<string, Record<string, number>> = {}
const reflected = { posts: 0, bytes: 0 }
const sockets = new Set<Socket>()
const ending = new AbortController()

export async function start(target: Target): Promise<void> {
  const agent = new Agent({
    connect: { localAddress: STRANGERS_ADDRESS },
    connections: target.lanes * 8,
    headersTimeout: ANSWER_LIMIT_MS,
  })
  const sorts = requestsOf(target, await listen())
  for (const [name, next] of Object.entries(sorts))
    for (let lane = 0; lane < target.lanes; lane++) void sendInTurn(agent, target.origin, name, next)
  for (let index = 0; index < target.slowSockets; index++) drip(target.origin)
}

export function stop(): Stopped {
  ending.abort()
  for (const socket of sockets) socket.destroy()
  return { sent, reflected }
}

type Request = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

const random = (bytes: number): string => randomBytes(bytes).toString('base64url')
const hex = (): string => randomBytes(14).toString('hex')

const requestsOf = ({ origin, invitationUrl, connectionId }: Target, endpoint: string) => {
  const invitation = invitationIn(invitationUrl)
  const page = { Origin: origin, 'Sec-Fetch-Site': 'same-origin', 'Content-Type': 'application/json' }
  const signIn = (emailAddress: string): Request => ({
    method: 'POST',
    path: '/v1/sessions',
    headers: page,
    body: JSON.stringify({ organisation: null, emailAddress, password: random(12) }),
  })
  const envelope = (path: string, body: string): Request => ({
    method: 'POST',
    path,
    headers: { 'Content-Type': 'application/didcomm-envelope-enc' },
    body,
  })
  const asking = (headers: Request['headers']): Request => ({
    method: 'GET',
    path: '/v1/connections',
    headers,
  })
  // Made before, so that the process can send more than it can encrypt.
  const toConnection = Array.from({ length: WHOLE_ENVELOPES }, () =>
    envelopeOf('trust_ping/1.0/ping', {}, invitation),
  )
  const handshakes = Array.from({ length: WHOLE_ENVELOPES }, () => handshakeOf(invitation, endpoint))
  return {
    handshake: cycle(handshakes, (body) => envelope(new URL(invitation.endpoint).pathname, body)),
    'new handshake': () => envelope(new URL(invitation.endpoint).pathname, handshakeOf(invitation, endpoint)),
    envelope: cycle(toConnection, (body) => envelope(`/didcomm/${connectionId}`, body)),
    'large envelope': () => envelope(`/didcomm/${connectionId}`, `{"protected":"${random(150_000)}"}`),
    'sign-in, unknown address': () => signIn(`${hex()}@stranger.example`),
    'sign-in, one address': () => signIn('operator@vouchsafe.example'),
    'API key': () => asking({ Authorization: `Bearer svc_sk_${hex()}${random(44)}` }),
    'wallet token': () => asking({ Authorization: `Bearer svc_wt_${hex()}${random(44)}` }),
    session: () => asking({ ...page, Cookie: `__Host-vouchsafe=acc_${hex()}.${random(44)}` }),
  }
}

type Invitation = { readonly id: string; readonly endpoint: string; readonly recipientKey: string }

const invitationIn = (url: string): Invitation => {
  const text = Buffer.from(new URL(url).searchParams.get('oob') ?? '', 'base64url').toString('utf8')
  const message = JSON.parse(text) as {
    '@id': string
    services: [{ serviceEndpoint: string; recipientKeys: [string] }]
  }
  const [{ serviceEndpoint, recipientKeys }] = message.services
  return { id: message['@id'], endpoint: serviceEndpoint, recipientKey: ed25519KeyOf(recipientKeys[0]) ?? '' }
}

const handshakeOf = (invitation: Invitation, endpoint: string): string => {
  const keys = createKeyPair()
  const own = { endpoint, recipientKeys: [keys.publicKeyBase58], routingKeys: [] }
  const did = longFormDid(documentFor(own))
  return envelopeOf('didexchange/1.1/request', { label: 'Stranger', did }, invitation, keys)
}

const envelopeOf = (
  type: string,
  fields: Readonly<Record<string, unknown>>,
  { id: pthid, recipientKey }: Invitation,
  keys = createKeyPair(),
): string => {
  const id = randomUUID()
  return pack(composeMessage({ id, type, thread: { thid: id, pthid }, ...fields }), [recipientKey], keys)
}

const cycle = (texts: readonly string[], made: (text: string) => Request): (() => Request) => {
  let next = 0
  return () => made(texts[next++ % texts.length] ?? '')
}

const sendInTurn = async (agent: Agent, origin: string, name: string, next: () => Request): Promise<void> => {
  while (!ending.signal.aborted) {
    const { method, path, headers, body = null } = next()
    try {
      const { statusCode, body: answer } = await agent.request({ origin, method, path, headers, body })
      await answer.dump()
      count(name, statusCode)
    } catch {
      count(name, 0)
    }
  }
}

const count = (name: string, status: number): void => {
  const counts = (sent[name] ??= {})
  counts[status] = (counts[status] ?? 0) + 1
}

/** A body that comes just fast enough not to be cut off, over and over. */
const drip = (origin: string): void => {
  if (ending.signal.aborted) return
  const { hostname: host, port } = new URL(origin)
  const socket = connect({ host, port: Number(port), localAddress: STRANGERS_ADDRESS })
  sockets.add(socket)
  const timer = setInterval(() => socket.write('x'.repeat(DRIP_BYTES)), DRIP_MS)
  socket.on('connect', () => {
    count('slow body', 1)
    socket.write(`POST /didcomm/inv_0000 HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 200000\r\n\r\n`)
  })
  socket.on('data', () => undefined)
  socket.on('error', () => undefined)
  socket.on('close', () => {
    clearInterval(timer)
    sockets.delete(socket)
    setTimeout(() => drip(origin), DRIP_MS)
  })
}

/** The address that the strangers give as theirs: somebody else's server, which takes everything and never answers right. */
const listen = async (): Promise<string> => {
  const server = createServer((request, response) => {
    reflected.posts += 1
    request.on('data', (chunk: Buffer) => {
      reflected.bytes += chunk.length
    })
    request.on('end', () => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
