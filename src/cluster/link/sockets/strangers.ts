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

type Stranger = { readonly socket: Socket; readonly from: string; readonly over: AbortController }

/**
 * Connections that have proved nothing yet. They are few and short: when there are too many, the oldest of the network
 * goes that has most of them. A node proves itself within milliseconds, so one that waits is more likely no node; and
 * however many come from one place, they push out nobody else.
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
    // Without an address it is closed already.
    if (socket.remoteAddress === undefined) return void socket.destroy()
    const key = endOf(socket)
    const { unprovedMax, unprovedMs } = this.#limits
    const from = networkOf(socket.remoteAddress)
    if (this.#unproved.size >= unprovedMax) {
      const oldest = this.#oldestOfMost(from)
      if (oldest !== null) this.#turnAway(oldest, 'crowd')
    }
    const stranger: Stranger = { socket, from, over: new AbortController() }
    this.#unproved.set(key, stranger)
    socket.on('error', () => {})
    // Another connection may come from the same place before this one is known to have closed.
    const turnAway = (kind: StrangerKind): void => {
      if (this.#unproved.get(key) === stranger) this.#turnAway(key, kind)
    }
    socket.once('close', () => turnAway('left'))
    this.#runtime.sleep(unprovedMs, stranger.over.signal).then(
      () => turnAway('late'),
      () => {},
    )
  }

  /** What is known of why a connection is about to end. */
  failed(socket: Socket, kind: StrangerKind): void {
    this.#turnAway(endOf(socket), kind)
  }

  /** The connection has proved itself; false where it was turned away a moment before. */
  proved(socket: Socket): boolean {
    return this.#take(endOf(socket)) !== null
  }

  stop(): void {
    for (const key of this.#unproved.keys()) this.#turnAway(key, 'left')
  }

  /** One more is about to come from `coming`. There are few enough to count them each time. */
  #oldestOfMost(coming: string): string | null {
    const counts = new Map([[coming, 1]])
    for (const { from } of this.#unproved.values()) counts.set(from, (counts.get(from) ?? 0) + 1)
    const most = Math.max(...counts.values())
    for (const [key, { from }] of this.#unproved) if (counts.get(from) === most) return key
    return null
  }

  #take(key: string): Stranger | null {
    const stranger = this.#unproved.get(key) ?? null
    this.#unproved.delete(key)
    stranger?.over.abort(OVER)
    return stranger
  }

  #turnAway(key: string, kind: StrangerKind): void {
    const stranger = this.#take(key)
    if (stranger === null) return
    stranger.socket.destroy()
    this.#count++
    const count = this.#isToLog(kind)
    if (count !== null) this.#log('link.stranger', { code: kind, count })
  }
}

/** The same for a connection and for the encrypted stream on it. */
const endOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** An address of IPv4; of IPv6 the /64 that whoever has one of its addresses has whole. */
export const networkOf = (address: string): string => {
  if (address.includes('.')) return address.slice(address.lastIndexOf(':') + 1)
  const [head = '', tail = ''] = address.split('::')
  const groups = (part: string): readonly string[] => (part === '' ? [] : part.split(':'))
  const zeros = Array.from({ length: Math.max(0, 8 - groups(head).length - groups(tail).length) }, () => '0')
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':')
}

const OVER = new Error('the connection is a stranger no more')
