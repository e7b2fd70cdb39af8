// The ways into a Credo agent that answers on the way that a message came, as the transports of its own do.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AgentContext } from '@credo-ts/core'
import type {
  DidCommEncryptedMessage,
  DidCommInboundTransport,
  DidCommTransportSession,
} from '@credo-ts/didcomm'
import { DidCommMessageReceiver, DidCommTransportService } from '@credo-ts/didcomm'
import { type WebSocket, WebSocketServer } from 'ws'

const CONTENT_TYPE = 'application/didcomm-envelope-enc'

class HttpSession implements DidCommTransportSession {
  readonly id = randomUUID()
  readonly type = 'http'
  readonly #response: ServerResponse

  constructor(response: ServerResponse) {
    this.#response = response
  }

  async send(_context: AgentContext, message: DidCommEncryptedMessage): Promise<void> {
    if (this.#response.headersSent) throw new Error('the request has been answered already')
    this.#response.writeHead(200, { 'Content-Type': CONTENT_TYPE }).end(JSON.stringify(message))
  }

  async close(): Promise<void> {
    if (!this.#response.headersSent) this.#response.writeHead(202).end()
  }
}

export class SocketSession implements DidCommTransportSession {
  readonly id = randomUUID()
  readonly type = 'WebSocket'
  readonly #socket: WebSocket

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  /** A session is forgotten only a moment after its socket has begun to close. */
  get isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN
  }

  async send(_context: AgentContext, message: DidCommEncryptedMessage): Promise<void> {
    if (!this.isOpen) throw new Error('the socket is closed')
    this.#socket.send(Buffer.from(JSON.stringify(message)))
  }

  async close(): Promise<void> {
    // It stays for the next message.
  }
}

/** One port for both: envelopes are posted to it, and sockets opened on it. */
export class SessionTransports implements DidCommInboundTransport {
  readonly #server = createServer((request, response) => void this.#receive(request, response))
  readonly #sockets = new WebSocketServer({ server: this.#server, perMessageDeflate: false })
  #context: AgentContext | null = null

  /** The two addresses, over HTTP and over a socket. */
  async listen(): Promise<[string, string]> {
    this.#sockets.on('connection', (socket) => this.#accept(socket))
    this.#server.keepAliveTimeout = 60_000
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    const { port } = this.#server.address() as AddressInfo
    return [`http://127.0.0.1:${port}`, `ws://127.0.0.1:${port}`]
  }

  get openSockets(): number {
    return this.#sockets.clients.size
  }

  async start(context: AgentContext): Promise<void> {
    this.#context = context
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#sockets.close()
    this.#server.closeAllConnections()
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = new HttpSession(response)
    response.once('close', () => this.#forget(session))
    try {
      await this.#process(await text(request), session)
      await session.close()
    } catch {
      if (!response.headersSent) response.writeHead(500).end()
    }
  }

  #accept(socket: WebSocket): void {
    const session = new SocketSession(socket)
    socket.on(
      'message',
      (data: Buffer) => void this.#process(data.toString(), session).catch(() => undefined),
    )
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#forget(session))
  }

  #forget(session: DidCommTransportSession): void {
    this.#context?.dependencyManager.resolve(DidCommTransportService).removeSession(session)
  }

  async #process(envelope: string, session: DidCommTransportSession): Promise<void> {
    if (this.#context === null) throw new Error('the agent has not been started')
    const receiver = this.#context.dependencyManager.resolve(DidCommMessageReceiver)
    await receiver.receiveMessage(JSON.parse(envelope), { session })
  }
}
