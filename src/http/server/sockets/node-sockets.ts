import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type ServerOptions, type WebSocket, WebSocketServer } from 'ws'
import type { Admitted, OpenSockets } from './open-sockets.ts'
import { SocketInUse } from './socket-in-use.ts'
import { messageBytesMaxAt } from './socket-path.ts'

/** How long the other side may take to close as well. */
const CLOSE_TIMEOUT_MS = 4_000

/** Sockets of the server built into Node. */
export class NodeSockets {
  readonly #sockets: OpenSockets
  readonly #shared: WebSocketServer
  readonly #single: WebSocketServer

  constructor(sockets: OpenSockets) {
    this.#sockets = sockets
    this.#shared = serverFor(messageBytesMaxAt(null))
    this.#single = serverFor(messageBytesMaxAt(''))
  }

  upgrade(request: IncomingMessage, stream: Duplex, first: Buffer, { opening }: Admitted): void {
    const server = opening.address === null ? this.#shared : this.#single
    server.handleUpgrade(request, stream, first, (ws) => {
      const socket = new NodeSocket(this.#sockets, opening.from, ws, stream)
      listen(ws, stream, socket)
      this.#sockets.opened(socket, opening)
    })
  }
}

const serverFor = (maxPayload: number): WebSocketServer => {
  // The types do not know the last one yet.
  const options: ServerOptions & { readonly closeTimeout: number } = {
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload,
    handleProtocols: () => false,
    closeTimeout: CLOSE_TIMEOUT_MS,
  }
  return new WebSocketServer(options)
}

/** Node goes by this number as well to tell whether a write moves; its types do not have it. */
type QueueingStream = Duplex & { readonly _handle?: { readonly writeQueueSize?: number } | null }

class NodeSocket extends SocketInUse {
  readonly #ws: WebSocket
  readonly #stream: QueueingStream
  /** What whoever is known here may say at once. */
  readonly #bytesMax: number

  constructor(sockets: OpenSockets, from: string, ws: WebSocket, stream: QueueingStream) {
    super(sockets, from)
    this.#ws = ws
    this.#stream = stream
    this.#bytesMax = receiverOf(ws)._maxPayload
    receiverOf(ws)._maxPayload = Math.min(this.#bytesMax, sockets.settings.strangerMessageBytesMax)
  }

  override keep(): void {
    super.keep()
    receiverOf(this.#ws)._maxPayload = this.#bytesMax
  }

  protected write(text: string): void {
    this.#ws.send(text, AS_BINARY, ignored)
  }

  protected writePing(said: string): void {
    this.#ws.ping(said, false, ignored)
  }

  protected writeEnd(code: number, reason: string): void {
    this.#ws.close(code, reason)
  }

  protected cutOff(): void {
    this.#ws.terminate()
  }

  protected waitingBytes(): number {
    return this.#ws.bufferedAmount
  }

  /** All that waits is written in one piece, and a large one takes a slow reader a long time. */
  protected handedBytes(): number {
    return this.#stream._handle?.writeQueueSize ?? 0
  }

  protected readNoMore(isPaused: boolean): void {
    if (isPaused) this.#ws.pause()
    else this.#ws.resume()
  }
}

/** The library keeps what has come of a message; it asks for this size at each piece, and cannot be told another one. */
const receiverOf = (ws: WebSocket): { _maxPayload: number } =>
  (ws as unknown as { readonly _receiver: { _maxPayload: number } })._receiver

const AS_BINARY = { binary: true }

/** A socket that failed says so by closing. */
const ignored = (): void => {}

const socketOf = new WeakMap<WebSocket | Duplex, NodeSocket>()

/** The same functions for every socket, which find it by the object that calls them. */
const listen = (ws: WebSocket, stream: Duplex, socket: NodeSocket): void => {
  socketOf.set(ws, socket)
  socketOf.set(stream, socket)
  ws.binaryType = 'nodebuffer'
  ws.on('message', messageCame)
  ws.on('ping', pingCame)
  ws.on('pong', pongCame)
  ws.on('close', closed)
  ws.on('error', ignored)
  stream.on('drain', readOn)
}

function messageCame(this: WebSocket, message: WebSocket.RawData): void {
  // One Buffer, because that is what `binaryType` asks for.
  if (Buffer.isBuffer(message)) socketOf.get(this)?.messageCame(message)
}

function pingCame(this: WebSocket): void {
  socketOf.get(this)?.pingCame()
}

function pongCame(this: WebSocket, said: Buffer): void {
  socketOf.get(this)?.pongCame(said)
}

function closed(this: WebSocket): void {
  socketOf.get(this)?.closed()
}

function readOn(this: Duplex): void {
  socketOf.get(this)?.readOn()
}
