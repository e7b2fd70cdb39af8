import type { Socket } from 'node:net'
import type { Runtime } from '../../../ports/runtime.ts'
import type { Log } from '../../../telemetry/logger.ts'
import { onceAMinute } from '../once-a-minute.ts'

/** How far a connection came that proved nothing. */
export type StrangerKind = 'left' | 'tls' | 'late' | 'crowd' | 'request' | 'greeting' | 'proof'

export type StrangerLimits = {
  /** Connections that have proved nothing yet. */
  readonly unprovedMax: number
  readonly unprovedMs: number
}

type Stranger = { readonly socket: Socket; readonly over: AbortController; kind: StrangerKind }

/**
 * Connections that have proved nothing yet. They are few and short: when there are too many, the oldest goes, because a
 * node proves itself within milliseconds, and one that waits is more likely no node.
 */
export class Strangers {
  readonly #runtime: Runtime
  readonly #log: Log
  readonly #limits: StrangerLimits
  readonly #isToLog
  readonly #unproved = new Map<string, Stranger>()
  #count = 0

  constructor(runtime: Runtime, log: Log, limits: StrangerLimits) {
    this.#runtime = runtime
    this.#log = log
    this.#limits = limits
    this.#isToLog = onceAMinute(() => runtime.monotonicMs())
  }

  get count(): number {
    return this.#count
  }

  get unproved(): number {
    return this.#unproved.size
  }

  arrived(socket: Socket): void {
    const key = endOf(socket)
    const { unprovedMax, unprovedMs } = this.#limits
    if (this.#unproved.size >= unprovedMax) {
      const [oldest] = this.#unproved.values()
      if (oldest !== undefined) this.#turnAway(oldest, 'crowd')
    }
    const stranger: Stranger = { socket, over: new AbortController(), kind: 'left' }
    this.#unproved.set(key, stranger)
    socket.on('error', () => {})
    socket.once('close', () => {
      if (this.#unproved.get(key) !== stranger) return
      this.#unproved.delete(key)
      stranger.over.abort(OVER)
      this.#note(stranger.kind)
    })
    this.#runtime.sleep(unprovedMs, stranger.over.signal).then(
      () => this.#turnAway(stranger, 'late'),
      () => {},
    )
  }

  /** What is known of why a connection is about to end. */
  failed(socket: Socket, kind: StrangerKind): void {
    const stranger = this.#unproved.get(endOf(socket))
    if (stranger !== undefined) this.#turnAway(stranger, kind)
  }

  /** The connection has proved itself; false where it was turned away a moment before. */
  proved(socket: Socket): boolean {
    const key = endOf(socket)
    const stranger = this.#unproved.get(key)
    if (stranger === undefined) return false
    this.#unproved.delete(key)
    stranger.over.abort(OVER)
    return true
  }

  stop(): void {
    for (const { socket } of this.#unproved.values()) socket.destroy()
  }

  #turnAway(stranger: Stranger, kind: StrangerKind): void {
    if (stranger.kind === 'left') stranger.kind = kind
    stranger.socket.destroy()
  }

  #note(kind: StrangerKind): void {
    this.#count++
    const count = this.#isToLog(kind)
    if (count !== null) this.#log('link.stranger', { code: kind, count })
  }
}

/** The same for a connection and for the encrypted stream on it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

const OVER = new Error('the connection is a stranger no more')
