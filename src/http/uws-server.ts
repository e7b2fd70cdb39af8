import {
  App,
  type HttpRequest,
  type HttpResponse,
  SSLApp,
  type TemplatedApp,
  us_listen_socket_close,
  us_socket_local_port,
} from 'uWebSockets.js'
import { type BodyBuffer, BodyMemory } from './body-memory.ts'
import { HeaderReader } from './guard.ts'
import { InFlight } from './in-flight.ts'
import { newRequestId } from './request-id.ts'
import {
  type Exchange,
  type FrontDoor,
  type HttpServer,
  ListenError,
  type Reply,
  type ServerOptions,
} from './server.ts'
import { reasonPhrase } from './status.ts'

/** LIBUS_LISTEN_EXCLUSIVE_PORT: without it a second process could take a share of the port's connections unnoticed. */
const EXCLUSIVE_PORT = 1
const EMPTY = new Uint8Array()

/** uWebSockets.js: the only file that knows it, and the traps it sets. */
export const startUwsServer = async (options: ServerOptions, door: FrontDoor): Promise<HttpServer> => {
  const app = options.tls
    ? SSLApp({ cert_file_name: options.tls.certFile, key_file_name: options.tls.keyFile })
    : App()
  const server = new UwsServer(app, options, door)
  await server.listen()
  return server
}

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
  readonly #app: TemplatedApp
  readonly #options: ServerOptions
  readonly #door: FrontDoor
  readonly #memory: BodyMemory
  readonly #inFlight = new InFlight()
  #socket: ListenSocket | null = null
  #draining = false

  constructor(app: TemplatedApp, options: ServerOptions, door: FrontDoor) {
    this.#app = app
    this.#options = options
    this.#door = door
    this.#memory = new BodyMemory(options.bodyMemoryBytesMax)
    app.any('/*', (res, req) => this.#onRequest(res, req))
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
    this.#draining = true
    if (this.#socket !== null) us_listen_socket_close(this.#socket)
    this.#socket = null
  }

  drained(): Promise<void> {
    return this.#inFlight.none()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.stopAccepting()
    this.#app.close()
  }

  #onRequest(res: HttpResponse, req: HttpRequest): void {
    const answer = new Answer(res, req.getCaseSensitiveMethod() === 'HEAD')
    const reader = new HeaderReader()
    req.forEach((name, value) => reader.add(name, value))
    reader.check()
    const exchange = this.#door.accept({
      id: newRequestId(),
      method: req.getCaseSensitiveMethod(),
      path: req.getUrl(),
      query: queryOf(req),
      headers: reader.headers,
      remoteAddress: Buffer.from(res.getRemoteAddressAsText()).toString('latin1'),
    })
    this.#inFlight.enter()
    res.onAborted(() => {
      if (answer.over) return
      answer.over = true
      answer.body?.release()
      exchange.aborted()
      this.#inFlight.leave()
    })
    const finish = (reply: Reply, close: boolean): void => {
      if (answer.over) return
      answer.send(reply, close)
      this.#inFlight.leave()
    }
    const send = (reply: Reply): void => {
      answer.decided = true
      const close = reply.close === true || this.#draining
      // The library goes on reading what it already has, as further requests, even after an answer that closes. While
      // this answer is pending it drops the connection instead, so a smuggled request is never served.
      if (close) setImmediate(() => finish(reply, true))
      else finish(reply, false)
    }
    if (reader.suspicion !== null) send(exchange.refuse('malformed'))
    else if (reader.hasBody()) this.#readBody(res, reader.bodyBytes(), exchange, answer, send)
    else settle(exchange.respond(EMPTY), send)
  }

  /** Counts every byte, because the library has no limit of its own. */
  #readBody(
    res: HttpResponse,
    announced: number | null,
    exchange: Exchange,
    answer: Answer,
    send: (reply: Reply) => void,
  ): void {
    if ((announced ?? 0) > exchange.bodyBytesMax) return send(exchange.refuse('body_too_large'))
    const body = this.#memory.claim(exchange.bodyBytesMax)
    answer.body = body
    res.onData((chunk, isLast) => {
      if (answer.decided || answer.over) return
      const taken = body.add(new Uint8Array(chunk))
      if (taken !== 'taken') {
        body.release()
        send(exchange.refuse(taken))
      } else if (isLast) settle(exchange.respond(body.take()), send)
    })
  }
}

/** Undefined, whatever the library's types say, when there is no question mark. */
const queryOf = (req: { getQuery(): string | undefined }): string => req.getQuery() ?? ''

const settle = (reply: Reply | Promise<Reply>, send: (reply: Reply) => void): void => {
  if (reply instanceof Promise) void reply.then(send)
  else send(reply)
}

/** One response; `over` once it is sent or the caller is gone, and from then on the library's object must not be touched. */
class Answer {
  over = false
  /** An answer is on its way, so what still comes in of the body is of no interest. */
  decided = false
  body: BodyBuffer | null = null
  readonly #res: HttpResponse
  readonly #head: boolean

  constructor(res: HttpResponse, head: boolean) {
    this.#res = res
    this.#head = head
  }

  send(reply: Reply, close: boolean): void {
    this.over = true
    const bodiless = this.#head || reply.status === 204
    this.#res.cork(() => {
      this.#res.writeStatus(`${reply.status} ${reasonPhrase(reply.status)}`)
      for (const name in reply.headers) this.#res.writeHeader(name, reply.headers[name] ?? '')
      if (!bodiless) {
        this.#res.end(reply.body, close)
        return
      }
      // With a length given, `endWithoutBody` waits for that many bytes for ever; so the header is ours, and the
      // connection, which can't be told to close then, is left to the caller or to the end of the drain.
      if (this.#head) this.#res.writeHeader('Content-Length', String(byteLength(reply.body)))
      if (close) this.#res.writeHeader('Connection', 'close')
      this.#res.endWithoutBody()
    })
  }
}

const byteLength = (body: string | Uint8Array): number =>
  typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
