import type { IncomingMessage } from 'node:http'
import { createServer, type Server } from 'node:https'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { WebSocketServer } from 'ws'
import type { Log } from '../../../telemetry/logger.ts'
import { LinkRefused, type ProvedWire } from '../wire.ts'
import type { DialParts } from './dial.ts'
import {
  channelOf,
  type Greeting,
  headerOf,
  isProof,
  PATH,
  PROOF,
  proofOf,
  readGreeting,
  refusalOf,
  REFUSED,
  SAID,
  say,
} from './greeting.ts'
import type { LinkSecret } from './secret.ts'
import { type StrangerKind, type StrangerLimits, Strangers } from './strangers.ts'
import { TLS } from './tls.ts'
import { webSocketWire } from './web-socket-wire.ts'

export type AcceptParts = DialParts & {
  readonly host: string
  readonly port: number
  readonly log: Log
  readonly limits: StrangerLimits
  readonly accepted: (proved: ProvedWire) => void
  readonly refused: (node: string, refusal: LinkRefused) => void
}

export type Acceptor = AsyncDisposable & {
  readonly port: number
  readonly strangers: Strangers
}

/** A request may have no more than a greeting and its proof. */
const HEAD_BYTES_MAX = 4_096
/** What waits there costs the kernel little, and what finds no place there comes again only after a second. */
const BACKLOG = 1_024

/** Listens for other nodes. Whoever knows no secret gets no further than the first message of TLS. */
export const acceptNodes = async (parts: AcceptParts): Promise<Acceptor> => {
  const { host, port, secrets, runtime, log, limits, messageBytesMax } = parts
  const strangers = new Strangers(runtime, log, limits)
  const known = new WeakMap<Socket, LinkSecret>()
  const encrypted = new WeakSet<Duplex>()
  const server = createServer({
    ...TLS,
    maxHeaderSize: HEAD_BYTES_MAX,
    pskCallback: (socket, identity) => {
      const secret = secrets.byId(identity)
      if (secret !== null) known.set(socket, secret)
      return secret?.tlsKey ?? null
    },
  })
  const webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
  })
  const welcomes = new WeakMap<IncomingMessage, readonly string[]>()
  webSockets.on('headers', (headers, request) => headers.push(...(welcomes.get(request) ?? [])))
  server.on('connection', (stream) =>
    stream instanceof Socket ? strangers.arrived(stream) : stream.destroy(),
  )
  server.on('secureConnection', (stream) => encrypted.add(stream))
  // What TLS refuses comes here as well.
  server.on('clientError', (_error, stream) =>
    failed(strangers, stream, encrypted.has(stream) ? 'request' : 'tls'),
  )
  server.on('request', (request) => strangers.failed(request.socket, 'request'))
  server.on('upgrade', (request, stream, head) => {
    stream.on('error', () => {})
    const secret = stream instanceof TLSSocket ? known.get(stream) : undefined
    if (secret === undefined || !(stream instanceof TLSSocket) || request.url !== PATH || head.length > 0)
      return failed(strangers, stream, 'request')
    const incarnation = parts.incarnation()
    const heard = hear(parts, incarnation ?? '', { request, stream, secret })
    if (typeof heard === 'string') return failed(strangers, stream, heard)
    if (!strangers.proved(stream)) return void stream.destroy()
    void refusalIn(parts, incarnation, heard.greeting).then((refusal) => {
      if (refusal === null) return welcome(request, stream, { secret, head, ...heard })
      parts.refused(heard.greeting.node, refusal)
      return refuse(stream, refusal)
    })
  })
  const welcome = (request: IncomingMessage, stream: TLSSocket, heard: Heard & Upgrade): void => {
    welcomes.set(request, heard.welcome)
    webSockets.handleUpgrade(request, stream, heard.head, (socket) => {
      socket.on('error', () => {})
      socket.binaryType = 'nodebuffer'
      const { node, incarnation, dial, speaks, atMs: sentAtMs } = heard.greeting
      const greeted = { sentAtMs, arrivedAtMs: heard.arrivedAtMs }
      const secretState = () => secrets.stateOf(heard.secret.id)
      const wire = webSocketWire(socket, stream, runtime)
      parts.accepted({ node, incarnation, dial, speaks, greeted, secretState, wire })
    })
  }
  return {
    port: await listening(server, host, port),
    strangers,
    [Symbol.asyncDispose]: async () => {
      // It would wait for the connections of other nodes too, which go on.
      server.close()
      strangers.stop()
    },
  }
}

type Heard = {
  readonly greeting: Greeting
  readonly arrivedAtMs: number
  readonly welcome: readonly string[]
}
type Upgrade = { readonly secret: LinkSecret; readonly head: Buffer }
type Call = {
  readonly request: IncomingMessage
  readonly stream: TLSSocket
  readonly secret: LinkSecret
}

const hear = (
  { node, versions, runtime }: AcceptParts,
  incarnation: string,
  { request: { headers }, stream, secret }: Call,
): Heard | StrangerKind => {
  const channel = channelOf(stream)
  const said = headerOf(headers, SAID)
  if (!isProof(headerOf(headers, PROOF), proofOf(secret, 'dialer', channel, said))) return 'proof'
  const greeting = readGreeting(said)
  if (greeting === null) return 'greeting'
  const arrivedAtMs = runtime.monotonicMs()
  const answer = say({ node, incarnation, atMs: arrivedAtMs, ...versions })
  const proof = proofOf(secret, 'acceptor', channel, said, answer)
  return { greeting, arrivedAtMs, welcome: [`${SAID}: ${answer}`, `${PROOF}: ${proof}`] }
}

/** Of one that has proved itself; null where it may stay. */
const refusalIn = async (
  { node: own, versions, isNow }: AcceptParts,
  incarnation: string | null,
  greeting: Greeting,
): Promise<LinkRefused | null> => {
  const refusal = refusalOf(own, versions, greeting)
  if (refusal !== null) return refusal
  if (incarnation === null) return new LinkRefused('lease', `${own} has no lease yet.`)
  // Where nobody can say whose the name is, it is nobody's.
  const isTheirs = await isNow(greeting.node, greeting.incarnation).catch(() => false)
  if (isTheirs) return null
  return new LinkRefused('lease', `The lease of ${greeting.node} belongs to another process.`)
}

const failed = (strangers: Strangers, stream: Duplex, kind: StrangerKind): void => {
  if (stream instanceof TLSSocket) strangers.failed(stream, kind)
  stream.destroy()
}

/** The one who dialed has proved itself, so that it may know why. */
const refuse = (stream: TLSSocket, { why, message }: LinkRefused): void => {
  const said = message.replaceAll(/[^\x20-\x7e]/g, '?')
  stream.end(
    `HTTP/1.1 403 Forbidden\r\n${REFUSED}: ${why}: ${said}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    () => stream.destroy(),
  )
}

const listening = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, backlog: BACKLOG }, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
