import WebSocket from 'ws'
import { fetchOrFail } from './persistent-http.ts'

/** What a phone sends and receives by: its sockets can be cut from outside, as a tunnel does it. */
export class Radio {
  readonly #sockets = new Set<WebSocket>()
  readonly fetch = fetchOrFail
  readonly WebSocketClass: typeof WebSocket

  constructor() {
    const sockets = this.#sockets
    this.WebSocketClass = class RadioSocket extends WebSocket {
      constructor(address: string | URL) {
        super(address, { perMessageDeflate: false })
        sockets.add(this)
        this.once('close', () => sockets.delete(this))
      }
    } as unknown as typeof WebSocket
  }

  get openSockets(): number {
    return [...this.#sockets].filter(({ readyState }) => readyState === WebSocket.OPEN).length
  }

  /** Without a word to the other side's application; answers with how many there were. */
  cut(): number {
    const all = [...this.#sockets]
    for (const socket of all) socket.terminate()
    return all.length
  }

  /**
   * The sockets stay open and nobody listens any more: what is sent into them is never read, no ping is answered. The
   * phone notices after a while, and they are gone. Answers with how many there were.
   */
  stall(noticedAfterMs: number): number {
    const open = [...this.#sockets].filter(({ readyState }) => readyState === WebSocket.OPEN)
    for (const socket of open) {
      socket.pause()
      setTimeout(() => socket.terminate(), noticedAfterMs).unref()
    }
    return open.length
  }
}
