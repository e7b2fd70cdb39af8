import type { HttpResponse, TemplatedApp, WebSocket, WebSocketBehavior } from 'uWebSockets.js'
import type { Admitted, OpenSockets } from './open-sockets.ts'
import { SocketInUse } from './socket-in-use.ts'
import { messageBytesMaxAt, SHARED_PATH } from './socket-path.ts'

export type UpgradeContext = Parameters<HttpResponse['upgrade']>[4]
type Upgrade = NonNullable<WebSocketBehavior<Kept>['upgrade']>
/** The library copies what it is given to keep, property by property. */
type Kept = { readonly socket: UwsSocket }

/** Sockets of uWebSockets.js. `upgrade` gets every request with a key, and answers it in the same turn. */
export const serveUwsSockets = (app: TemplatedApp, sockets: OpenSockets, upgrade: Upgrade): void => {
  const behavior = (address: string | null): WebSocketBehavior<Kept> => ({
    maxPayloadLength: messageBytesMaxAt(address),
    // Each send looks at what waits already, which is less than this where nothing is wrong.
    maxBackpressure: sockets.settings.unreadBytesMax + 1,
    // Silence is noticed by `OpenSockets`: the same for both servers, and within times that are no multiples of 4 s.
    idleTimeout: 0,
    sendPingsAutomatically: false,
    upgrade,
    open: (ws) => ws.getUserData().socket.begin(ws),
    message: (ws, message) => ws.getUserData().socket.messageCame(copyOf(message)),
    ping: (ws) => ws.getUserData().socket.pingCame(),
    pong: (ws, said) => ws.getUserData().socket.pongCame(new Uint8Array(said)),
    drain: (ws) => ws.getUserData().socket.readOn(),
    close: (ws) => ws.getUserData().socket.gone(),
  })
  app.ws(SHARED_PATH, behavior(null))
  app.ws(`${SHARED_PATH}/:address`, behavior(''))
}

/** To be called while the request is being handled; the library writes the answer. */
export const upgradeUws = (
  res: HttpResponse,
  context: UpgradeContext,
  sockets: OpenSockets,
  admitted: Admitted,
): void => {
  // No subprotocol and no extension: messages are encrypted, so that compressing them takes time and saves nothing.
  const kept: Kept = { socket: new UwsSocket(sockets, admitted) }
  res.upgrade(kept, admitted.key, '', '', context)
}

class UwsSocket extends SocketInUse {
  readonly #sockets: OpenSockets
  readonly #opening: Admitted['opening']
  /** Null once the library has closed it, after which it must not be touched. */
  #ws: WebSocket<Kept> | null = null

  constructor(sockets: OpenSockets, { opening }: Admitted) {
    super(sockets, opening.from)
    this.#sockets = sockets
    this.#opening = opening
  }

  begin(ws: WebSocket<Kept>): void {
    this.#ws = ws
    this.#sockets.opened(this, this.#opening)
  }

  gone(): void {
    this.#ws = null
    this.closed()
  }

  protected write(text: string): void {
    this.#ws?.send(text, true)
  }

  protected writePing(said: string): void {
    this.#ws?.ping(said)
  }

  protected writeEnd(code: number, reason: string): void {
    this.#ws?.end(code, reason)
  }

  protected cutOff(): void {
    this.#ws?.close()
  }

  protected waitingBytes(): number {
    return this.#ws?.getBufferedAmount() ?? 0
  }

  /** The library counts each byte that has left. */
  protected handedBytes(): number {
    return 0
  }

  /** The library reads on whatever happens; a socket that sends too much is ended. */
  protected readNoMore(): void {}
}

/** The library takes its bytes back when the handler returns. */
const copyOf = (message: ArrayBuffer): Uint8Array => new Uint8Array(message.slice(0))
