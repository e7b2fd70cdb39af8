import { readFileSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Eventually } from '../../domain/eventually.ts'
import { limits } from '../../domain/limits.ts'
import { BodyMemory } from './body-memory.ts'
import { HeaderReader } from './framing.ts'
import {
  InFlight,
  ListenError,
  hasBody,
  newRequestId,
  type FrontDoor,
  type HttpServer,
  type Reply,
  type RequestHead,
  type RequestInProgress,
  type ServerOptions,
  type StartServer,
} from './server.ts'
import { refuseConnection, refuseSocket } from './node-refusal.ts'
import { nodeStream } from './node-stream.ts'
import { OpenStreams } from './open-streams.ts'
import { NodeSockets } from './sockets/node-sockets.ts'
import { refusalReply } from '../route/problem.ts'
import { OpenSockets } from './sockets/open-sockets.ts'
import type { SocketsOptions } from './sockets/sockets-options.ts'

const EMPTY = new Uint8Array()
const VERSIONS = new Set(['1.0', '1.1'])
const RECEIVE_TIMEOUT_MS = 10_000
/**
 * This much of a body must arrive within the receive timeout, as with uWebSockets.js: an image over a slow line takes a
 * minute.
 */
const RECEIVE_BYTES_MIN = 16_384 * 10

/**
 * The server built into Node: used where uWebSockets.js has no binary, and proof that nothing depends on
 * uWebSockets.js.
 */
export const startNodeServer: StartServer = async (options, door, sockets) => {
  const server = new NodeServer(options, door, sockets)
  await server.listen()
  return server
}

class NodeServer implements HttpServer {
  readonly engine = 'node'
  port = 0
  readonly #server: Server
  readonly #options: ServerOptions
  readonly #door: FrontDoor
  readonly #memory: BodyMemory
  readonly #inFlight = new InFlight()
  readonly #streams = new OpenStreams()
  readonly #sockets: OpenSockets | null
  /** Connections that were answered with `Connection: close`: further bytes are not read as requests. */
  readonly #ended = new WeakSet<Duplex>()
  /** Connections of event streams, from the moment a stream is requested. */
  readonly #streaming = new WeakSet<Duplex>()
  #draining = false

  constructor(options: ServerOptions, door: FrontDoor, socketsOptions?: SocketsOptions) {
    this.#options = options
    this.#door = door
    this.#memory = new BodyMemory(options.bodyMemoryBytesMax)
    const sockets = socketsOptions === undefined ? null : new OpenSockets(socketsOptions, this.#memory)
    this.#sockets = sockets
    const settings = {
      // `keepPace` bounds bodies by their rate instead.
      requestTimeout: 0,
      headersTimeout: RECEIVE_TIMEOUT_MS,
      keepAliveTimeout: RECEIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
      maxHeaderSize: limits.headBytesMax,
      // `HeaderReader` refuses a missing host, with a body like every other error.
      requireHostHeader: false,
      // What asks for another protocol, and is answered in this one, stays a request like any other.
      shouldUpgradeCallback: ({ method = '', url = '', headers }: IncomingMessage): boolean =>
        sockets?.isFor(method, pathOf(url), new Map(Object.entries(headers)) as Map<string, string>) ?? false,
    }
    this.#server = options.tls
      ? createTlsServer({
          ...settings,
          cert: readFileSync(options.tls.certFile),
          key: readFileSync(options.tls.keyFile),
        })
      : createServer(settings)
    this.#server.on('request', (message, response) => this.#onRequest(message, response))
    // An unknown expectation is ignored; Node would answer it without a body.
    this.#server.on('checkExpectation', (message, response) => this.#onRequest(message, response))
    if (sockets !== null) this.#openSockets(sockets)
    this.#server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      // In the middle of a stream a refusal would be read as a piece of it.
      if (this.#streaming.has(socket)) socket.destroy()
      else refuseSocket(error, socket)
    })
  }

  listen(): Promise<void> {
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      this.#server.once('error', (error) => reject(new ListenError(host, port, { cause: error })))
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.port = (this.#server.address() as AddressInfo).port
        resolve()
      })
    })
  }

  stopAccepting(): void {
    this.#draining = true
    this.#server.close()
    this.#server.closeIdleConnections()
    this.#streams.end()
    this.#sockets?.leave()
  }

  async drained(): Promise<void> {
    await Promise.all([this.#inFlight.none(), this.#sockets?.drained()])
  }

  get socketCounts(): HttpServer['socketCounts'] {
    return this.#sockets?.counts ?? null
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopAccepting()
    this.#sockets?.cutOff()
    this.#server.closeAllConnections()
  }

  #openSockets(sockets: OpenSockets): void {
    const nodeSockets = new NodeSockets(sockets)
    this.#server.on('upgrade', (message, stream, first) => {
      stream.on('error', () => undefined)
      if (this.#ended.has(stream) || this.#streaming.has(stream)) return void stream.destroy()
      const { reader, head } = readHead(message)
      const isWhole = reader.objection === null && !reader.hasBody()
      const admitted = isWhole ? sockets.admit(head) : null
      if (admitted === null) refuseConnection(stream, MALFORMED)
      else if ('opening' in admitted) nodeSockets.upgrade(message, stream, first, admitted)
      else refuseConnection(stream, admitted)
    })
  }

  #onRequest(message: IncomingMessage, response: ServerResponse): void {
    // As with uWebSockets.js: a request that follows the request for a stream is not served, and ends the stream.
    if (this.#streaming.has(message.socket)) return void message.socket.destroy()
    if (this.#ended.has(message.socket)) return
    const { reader, head } = readHead(message)
    const { id } = head
    const request = this.#door.accept(head)
    this.#inFlight.enter()
    if (request.mayStream) this.#streaming.add(message.socket)
    let over = false
    const gone = (): void => {
      if (over) return
      over = true
      request.aborted()
      this.#inFlight.leave()
    }
    response.once('close', gone)
    // An answer that waits behind another on its connection gets no `close` event when the connection closes.
    message.once('aborted', gone)
    const send = (reply: Reply): void => {
      if (over) return reply.streaming?.cancel()
      over = true
      if (reply.streaming !== undefined) {
        // Behind an answer that closes its connection the stream would wait for ever, and keep its place.
        const canBeHeard = !this.#ended.has(message.socket)
        if (canBeHeard && !this.#draining && message.method !== 'HEAD') {
          writeHead(response, reply, id, CLOSED)
          return this.#streams.start(nodeStream(response), reply.streaming, () => this.#inFlight.leave())
        }
        reply.streaming.cancel()
      }
      if (request.mayStream) this.#streaming.delete(message.socket)
      const close = reply.close === true || this.#draining
      if (close) this.#ended.add(message.socket)
      write(response, reply, id, close)
      this.#inFlight.leave()
    }
    if (message.rawHeaders.length > 2 * limits.headersMax) send(request.refuse('head_too_large'))
    else if (reader.objection !== null) send(request.refuse('malformed', reader.objection))
    else if (reader.hasBody()) this.#readBody(message, reader.bodyBytes(), request, send)
    else settle(request.respond(EMPTY), send)
  }

  #readBody(
    message: IncomingMessage,
    announced: number | null,
    request: RequestInProgress,
    send: (reply: Reply) => void,
  ): void {
    if ((announced ?? 0) > request.bodyBytesMax) return send(request.refuse('body_too_large'))
    const body = this.#memory.claim(announced ?? request.bodyBytesMax, request.strangerFrom)
    let refused = false
    let received = 0
    const sendAhead = (known: Reply | null): void => {
      if (known === null && body.giveTo(request)) return
      const reply = known ?? request.refuse('body_memory_full')
      refused = true
      body.release()
      // Once the whole body is there, the next request of the connection may be running, and has to be answered too.
      send(message.complete ? { ...reply, close: false } : reply)
    }
    keepPace(message)
    message.on('data', (chunk: Uint8Array) => {
      if (refused) return
      received += chunk.byteLength
      const taken = body.add(chunk)
      if (taken !== 'taken') return sendAhead(request.refuse(taken))
      // A caller who is refused whatever the body says is answered before the rest of the body takes any memory.
      if (received === announced) return
      const turned = request.turnAway(received)
      if (turned instanceof Promise) void turned.then(sendAhead)
      else sendAhead(turned)
    })
    message.once('end', () => {
      if (!refused) settle(request.respond(body.take()), send)
    })
    message.once('close', () => body.release())
  }
}

const readHead = (
  message: IncomingMessage,
): { readonly reader: HeaderReader; readonly head: RequestHead } => {
  const reader = new HeaderReader()
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2)
    reader.add((message.rawHeaders[at] ?? '').toLowerCase(), message.rawHeaders[at + 1] ?? '')
  reader.check()
  // Node's parser accepts any version; older ones have no headers, and newer ones are another protocol.
  if (!VERSIONS.has(message.httpVersion)) reader.objection = 'the HTTP version must be 1.1'
  const [path = '', ...rest] = (message.url ?? '').split('?')
  const head = {
    id: newRequestId(),
    method: message.method ?? '',
    path,
    query: rest.join('?'),
    headers: reader.headers,
    remoteAddress: message.socket.remoteAddress ?? '',
  }
  return { reader, head }
}

const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''

const MALFORMED = refusalReply('malformed')

/** Ends a connection whose body arrives too slowly, or stops. */
const keepPace = (message: IncomingMessage): void => {
  let bytes = 0
  const patience = setTimeout(() => message.destroy(), RECEIVE_TIMEOUT_MS)
  message.on('data', (chunk: Uint8Array) => {
    bytes += chunk.byteLength
    if (bytes < RECEIVE_BYTES_MIN) return
    bytes = 0
    patience.refresh()
  })
  for (const over of ['end', 'close']) message.once(over, () => clearTimeout(patience))
}

const settle = (reply: Eventually<Reply>, send: (reply: Reply) => void): void => {
  if (reply instanceof Promise) void reply.then(send)
  else send(reply)
}

const write = (response: ServerResponse, reply: Reply, id: string, close: boolean): void => {
  const length = Buffer.byteLength(reply.body)
  const size = hasBody(reply.status) && reply.streaming === undefined ? { 'Content-Length': length } : {}
  writeHead(response, reply, id, { ...(close ? CLOSED : {}), ...size })
  response.end(reply.body)
}

const CLOSED = { Connection: 'close' }

const writeHead = (
  response: ServerResponse,
  { status, headers, rate }: Reply,
  id: string,
  own: OutgoingHttpHeaders,
): void => void response.writeHead(status, { ...headers, ...rate, 'X-Request-Id': id, ...own })
