import type { HttpRequest, HttpResponse, TemplatedApp } from 'uWebSockets.js'
import { BodyMemory, type BodyBuffer } from './body-memory.ts'
import { HeaderReader } from './framing.ts'
import {
  InFlight,
  ListenError,
  hasBody,
  statusLine,
  type FrontDoor,
  type HttpServer,
  type Reply,
  type RequestInProgress,
  type ServerOptions,
  type StartServer,
  type Streaming,
} from './server.ts'
import { OpenStreams } from './open-streams.ts'
import { JSON_HEADERS } from '../route/problem.ts'
import { answeredWith } from './answered.ts'
import { OpenSockets } from './sockets/open-sockets.ts'
import type { SocketsOptions } from './sockets/sockets-options.ts'
import { serveUwsSockets, type UpgradeContext, upgradeUws } from './sockets/uws-sockets.ts'
import { UwsHead } from './uws-head.ts'
import { App, SSLApp, us_listen_socket_close, us_socket_local_port } from './uws-library.ts'
import { uwsStream } from './uws-stream.ts'

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second process could take a share of the port's connections unnoticed. */
const EXCLUSIVE_PORT = 1
const EMPTY = new Uint8Array()
/** The headers of nearly every answer, in one call: the library writes a value as it is, line ends included. */
const JSON_BLOCK = Object.entries(JSON_HEADERS)
  .map(([name, value], index) => (index === 0 ? value : `${name}: ${value}`))
  .join('\r\n')
const JSON_BLOCK_NAME = Object.keys(JSON_HEADERS)[0] ?? ''

/** uWebSockets.js: only this file and the others of its name know it, and the traps it sets. */
export const startUwsServer: StartServer = async (options, door, sockets) => {
  const server = new UwsServer(appFor(options), options, door, sockets)
  await server.listen()
  return server
}

/** What is encrypted on a silent connection would hold 34 KB of buffers for each. */
const appFor = ({ tls }: ServerOptions): TemplatedApp =>
  tls === null
    ? App()
    : SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile, ssl_prefer_low_memory_usage: true })

/** The library's types know three of the four ways to call `listen`; this is the fourth. */
type Listen = (
  host: string,
  port: number,
  options: number,
  listening: (socket: ListenSocket | false) => void,
) => void
type ListenSocket = Parameters<typeof us_listen_socket_close>[0]

class UwsServer implements HttpServer {
  readonly engine = 'uws'
  port = 0
  isDraining = false
  readonly #app: TemplatedApp
  readonly #options: ServerOptions
  readonly #door: FrontDoor
  readonly #memory: BodyMemory
  readonly inFlight = new InFlight()
  readonly #streams = new OpenStreams()
  readonly #sockets: OpenSockets | null
  #socket: ListenSocket | null = null

  constructor(app: TemplatedApp, options: ServerOptions, door: FrontDoor, sockets?: SocketsOptions) {
    this.#app = app
    this.#options = options
    this.#door = door
    this.#memory = new BodyMemory(options.bodyMemoryBytesMax)
    this.#sockets = sockets === undefined ? null : new OpenSockets(sockets, this.#memory)
    if (this.#sockets !== null)
      serveUwsSockets(app, this.#sockets, (res, req, context) => this.#onRequest(res, req, context))
    app.any('/*', (res, req) => this.#onRequest(res, req))
  }

  get socketCounts(): HttpServer['socketCounts'] {
    return this.#sockets?.counts ?? null
  }

  listen(): Promise<void> {
    const { host, port } = this.#options
    return new Promise((resolve, reject) => {
      ;(this.#app.listen as unknown as Listen).call(this.#app, host, port, EXCLUSIVE_PORT, (socket) => {
        if (socket === false) return reject(new ListenError(host, port))
        this.#socket = socket
        this.port = us_socket_local_port(socket)
        resolve()
      })
    })
  }

  stopAccepting(): void {
    this.isDraining = true
    if (this.#socket !== null) us_listen_socket_close(this.#socket)
    this.#socket = null
    this.#streams.end()
    this.#sockets?.leave()
  }

  async drained(): Promise<void> {
    await Promise.all([this.inFlight.none(), this.#sockets?.drained()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopAccepting()
    this.#sockets?.cutOff()
    this.#app.close()
  }

  stream(res: HttpResponse, streaming: Streaming): void {
    this.#streams.start(uwsStream(res), streaming, () => this.inFlight.leave())
  }

  /** Null where it is no request for a socket. */
  #upgrade(res: HttpResponse, head: UwsHead, context: UpgradeContext): Reply | 'upgraded' | null {
    const sockets = this.#sockets
    if (sockets === null) return null
    const admitted = sockets.admit(head)
    if (admitted === null || !('opening' in admitted)) return admitted
    upgradeUws(res, context, sockets, admitted)
    return 'upgraded'
  }

  /** `context`: the request may become a socket. */
  #onRequest(res: HttpResponse, req: HttpRequest, context: UpgradeContext | null = null): void {
    const reader = new HeaderReader()
    req.forEach((name, value) => reader.add(name, value))
    reader.check()
    const head = new UwsHead(res, req, reader.headers)
    const isPlain = context === null || reader.objection !== null || reader.hasBody()
    const refused = isPlain ? null : this.#upgrade(res, head, context)
    if (refused === 'upgraded') return
    const request = refused === null ? this.#door.accept(head) : answeredWith(refused)
    const answer = new UwsAnswer(res, head, request, this)
    this.inFlight.enter()
    if (reader.objection !== null) answer.send(request.refuse('malformed', reader.objection))
    else if (reader.hasBody()) answer.readBody(reader.bodyBytes(), this.#memory)
    else answer.respond(EMPTY)
    if (!head.isOver) answer.answerLater()
  }
}

/** One response. Once it is sent, or the caller is gone, the library's object must not be touched any more. */
class UwsAnswer {
  #isLater = false
  /**
   * The library's reader of chunks takes line feeds alone, zero bytes and missing ends of lines, so another server may
   * see the end of such a body elsewhere. So nothing that follows the body on the connection is read as a request.
   */
  readonly #isLast: boolean
  /** The answer is decided, so the rest of the body is ignored. */
  #isDecided = false
  #body: BodyBuffer | null = null
  readonly #res: HttpResponse
  readonly #head: UwsHead
  readonly #request: RequestInProgress
  readonly #server: UwsServer

  constructor(res: HttpResponse, head: UwsHead, request: RequestInProgress, server: UwsServer) {
    this.#res = res
    this.#head = head
    this.#request = request
    this.#server = server
    this.#isLast = head.headers.has('transfer-encoding')
  }

  /** Counts every byte, because the library has no limit of its own. */
  readBody(announced: number | null, memory: BodyMemory): void {
    const request = this.#request
    if ((announced ?? 0) > request.bodyBytesMax) return this.send(request.refuse('body_too_large'))
    const body = memory.claim(announced ?? request.bodyBytesMax, request.strangerFrom)
    let received = 0
    this.#body = body
    this.#res.onData((chunk, isLast) => {
      if (this.#isDecided || this.#head.isOver) return
      const taken = body.add(new Uint8Array(chunk))
      received += chunk.byteLength
      if (taken !== 'taken') {
        body.release()
        this.send(request.refuse(taken))
      } else if (isLast) this.respond(body.take())
      else this.#turnAway(received)
    })
  }

  /** A caller who is refused whatever the body says is answered before the rest of the body takes any memory. */
  #turnAway(received: number): void {
    const refused = this.#request.turnAway(received)
    if (refused instanceof Promise) void refused.then((it) => this.#sendAhead(it))
    else this.#sendAhead(refused)
  }

  #sendAhead(reply: Reply | null): void {
    const request = this.#request
    if (reply === null && this.#body?.giveTo(request) !== false) return
    this.#body?.release()
    this.send(reply ?? request.refuse('body_memory_full'))
  }

  /** The handler returns without an answer: from now on the library reports aborts, and writes must be corked. */
  answerLater(): void {
    this.#isLater = true
    this.#res.onAborted(() => this.#abort())
  }

  respond(body: Uint8Array): void {
    const reply = this.#request.respond(body)
    if (reply instanceof Promise) void reply.then((it) => this.send(it))
    else this.send(reply)
  }

  send(reply: Reply): void {
    this.#isDecided = true
    // The library goes on reading what it already has, as further requests, even after an answer that closes. While
    // this answer is pending it drops the connection instead, so a smuggled request is never served.
    if (reply.close === true || this.#isLast || this.#server.isDraining)
      setImmediate(() => this.#finish(reply, true))
    else this.#finish(reply, false)
  }

  #finish(reply: Reply, close: boolean): void {
    if (this.#head.isOver) return reply.streaming?.cancel()
    if (reply.streaming !== undefined) {
      const isWanted = !this.#server.isDraining && !this.#isLast && this.#head.method !== 'HEAD'
      if (isWanted) return this.#stream(reply, reply.streaming)
      reply.streaming.cancel()
    }
    this.#head.isOver = true
    if (this.#isLater) this.#res.cork(() => this.#write(reply, close))
    else this.#write(reply, close)
    this.#server.inFlight.leave()
  }

  /** Hands the response over to the stream. */
  #stream(reply: Reply, streaming: Streaming): void {
    const begin = (): void => {
      this.#writeHead(reply)
      this.#res.writeHeader('Connection', 'close')
    }
    this.#head.isOver = true
    if (this.#isLater) this.#res.cork(begin)
    else begin()
    this.#server.stream(this.#res, streaming)
  }

  #writeHead(reply: Reply): void {
    const res = this.#res
    if (reply.status !== 200) res.writeStatus(statusLine(reply.status))
    if (reply.headers === JSON_HEADERS) res.writeHeader(JSON_BLOCK_NAME, JSON_BLOCK)
    else writeHeaders(res, reply.headers)
    if (reply.rate !== undefined) writeHeaders(res, reply.rate)
    res.writeHeader('X-Request-Id', this.#head.id)
  }

  #write(reply: Reply, close: boolean): void {
    const res = this.#res
    this.#writeHead(reply)
    const isHead = this.#head.method === 'HEAD'
    if (!isHead && hasBody(reply.status)) {
      res.end(reply.body, close)
      return
    }
    // With a length given, `endWithoutBody` waits for that many bytes for ever; so the header is ours, and the
    // connection, which the library cannot close then, is left to the caller or to the end of the drain.
    if (isHead && reply.streaming === undefined)
      res.writeHeader('Content-Length', String(Buffer.byteLength(reply.body)))
    if (close) res.writeHeader('Connection', 'close')
    res.endWithoutBody()
  }

  #abort(): void {
    if (this.#head.isOver) return
    this.#head.isOver = true
    this.#body?.release()
    this.#request.aborted()
    this.#server.inFlight.leave()
  }
}

const writeHeaders = (res: HttpResponse, headers: Reply['headers']): void => {
  for (const name in headers) {
    const value = headers[name] ?? ''
    if (typeof value === 'string') res.writeHeader(name, value)
    else for (const each of value) res.writeHeader(name, each)
  }
}
