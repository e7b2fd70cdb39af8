import type { SocketOpening } from '../../../ports/sockets.ts'
import { problem, problemReply, retryAfter } from '../../route/problem.ts'
import { networkOf } from '../address.ts'
import type { BodyMemory } from '../body-memory.ts'
import { InFlight, type Reply, type RequestHead } from '../server.ts'
import { Counts } from './counts.ts'
import type { SocketSettings } from './settings.ts'
import type { SocketHost, SocketInUse } from './socket-in-use.ts'
import { addressIn } from './socket-path.ts'
import type { EndReason, SocketCounts, SocketsOptions } from './sockets-options.ts'
import { StrangeSockets } from './strange-sockets.ts'

/** A request that may become a socket. */
export type Admitted = { readonly opening: SocketOpening; readonly key: string }

const RETRY_MS = 5_000

/** The sockets of one server: how many there may be, what they hold, who is silent, and how they end. */
export class OpenSockets implements SocketHost {
  readonly settings: SocketSettings
  readonly counts: SocketCounts = { open: 0, opened: 0, refused: 0, unreadBytes: 0, ended: {} }
  readonly #options: SocketsOptions
  readonly #memory: BodyMemory
  readonly #open = new Set<SocketInUse>()
  readonly #ofNetwork = new Counts()
  readonly #strangers: StrangeSockets
  readonly #working = new InFlight()
  #round: Iterator<SocketInUse, undefined> = [].values()
  #part = 0
  #unlooked = 0
  #timer: NodeJS.Timeout | null = null
  #isLeaving = false

  constructor(options: SocketsOptions, memory: BodyMemory) {
    this.#options = options
    this.settings = options.settings
    this.#strangers = new StrangeSockets(options.settings.strangersMax)
    this.#memory = memory
  }

  /** Whether the request may become a socket, is refused, or is (null) not for sockets at all. */
  admit(head: RequestHead): Admitted | Reply | null {
    const { method, path, headers } = head
    const address = addressIn(path, this.#options.door)
    if (address === undefined || !this.isFor(method, path, headers)) return null
    const key = headers.get('sec-websocket-key') ?? ''
    if (!KEY.test(key)) return this.#refuse(MALFORMED)
    if (headers.get('sec-websocket-version') !== VERSION) return this.#refuse(WRONG_VERSION)
    const from = this.#options.clientAddress(head)
    const refusal = this.#isLeaving ? FULL : this.#lacks(networkOf(from))
    return refusal === null ? { opening: { address, from }, key } : this.#refuse(refusal)
  }

  /** Whether a request asks for a socket; `admit` looks closer. */
  isFor(method: string, path: string, headers: Pick<ReadonlyMap<string, string>, 'get'>): boolean {
    return (
      method === 'GET' &&
      addressIn(path, this.#options.door) !== undefined &&
      isUpgrade(headers) &&
      headers.get('sec-websocket-key')?.length === KEY_CHARACTERS
    )
  }

  opened(socket: SocketInUse, opening: SocketOpening): void {
    this.#open.add(socket)
    this.#ofNetwork.add(socket.network, 1)
    this.#strangers.add(socket)
    this.counts.open += 1
    this.counts.opened += 1
    const { roundMs, partsOfRound } = this.settings
    this.#timer ??= setInterval(() => this.#look(), roundMs / partsOfRound).unref()
    socket.listenedBy(this.#options.door.opened(socket, opening))
    this.#strangers.tooMany()?.cut('crowd')
    if (this.#isLeaving) socket.leave()
  }

  /** No socket is opened any more; those that are there end once what they sent is worked off. */
  leave(): void {
    this.#isLeaving = true
    for (const socket of this.#open) socket.leave()
  }

  /** What is still open ends without a word. */
  cutOff(): void {
    this.leave()
    for (const socket of this.#open) socket.cut('going_away')
  }

  /** Resolves when nothing is worked at any more. */
  drained(): Promise<void> {
    return this.#working.none()
  }

  // Below is what single sockets call.

  unreadChanged(bytes: number): void {
    this.counts.unreadBytes += bytes
  }

  boundUnread(): void {
    while (this.#isTooMuchUnread()) {
      const most = this.#mostUnread()
      if (most === null) return
      most.cut('unread')
    }
  }

  /** Messages are kept with the bodies of requests, as those of callers without a credential. */
  takeMemory({ network }: SocketInUse, bytes: number): boolean {
    return this.#memory.reserve(bytes, { strangerFrom: network, tenant: null, isLarge: false })
  }

  giveMemory({ network }: SocketInUse, bytes: number): void {
    this.#memory.free(bytes, { strangerFrom: network, tenant: null, isLarge: false })
  }

  kept(socket: SocketInUse): void {
    this.#strangers.delete(socket)
  }

  beginWork(): void {
    this.#working.enter()
  }

  endWork(): void {
    this.#working.leave()
  }

  failed(error: unknown): void {
    this.#options.failed(error)
  }

  ended(socket: SocketInUse, why: EndReason): void {
    if (!this.#open.delete(socket)) return
    this.#ofNetwork.add(socket.network, -1)
    this.#strangers.delete(socket)
    this.counts.open -= 1
    this.counts.ended[why] = (this.counts.ended[why] ?? 0) + 1
    if (this.#open.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
    this.#part = 0
  }

  #lacks(network: string): Reply | null {
    const { socketsMax, socketsOfNetworkMax, strangersOfNetworkMax } = this.settings
    if (this.#ofNetwork.sum >= socketsMax) return FULL
    if (this.#ofNetwork.of(network) >= socketsOfNetworkMax) return TOO_MANY
    return this.#strangers.ofNetwork(network) >= strangersOfNetworkMax ? TOO_MANY : null
  }

  #isTooMuchUnread(): boolean {
    return this.counts.unreadBytes > this.settings.unreadBytesOfAllMax
  }

  /** Null where, counted anew, what waits is within the bound: some may have read since. */
  #mostUnread(): SocketInUse | null {
    let most: SocketInUse | null = null
    for (const socket of this.#open) {
      if (socket.unreadBytes === 0) continue
      socket.countUnread()
      if (socket.unreadBytes > (most?.unreadBytes ?? 0)) most = socket
    }
    return this.#isTooMuchUnread() ? most : null
  }

  #refuse(reply: Reply): Reply {
    this.counts.refused += 1
    return reply
  }

  /** The next part of the round, which has all sockets that were there when it began. */
  #look(): void {
    const { partsOfRound } = this.settings
    if (this.#part === 0) {
      this.#round = this.#open.values()
      this.#unlooked = this.#open.size
    }
    const count = Math.ceil(this.#unlooked / (partsOfRound - this.#part))
    this.#unlooked -= count
    this.#part = (this.#part + 1) % partsOfRound
    for (let looked = 0; looked < count; looked++) this.#round.next().value?.look()
  }
}

const isUpgrade = (headers: Pick<ReadonlyMap<string, string>, 'get'>): boolean =>
  headers.get('upgrade')?.toLowerCase() === 'websocket' && NAMES_UPGRADE.test(headers.get('connection') ?? '')

const NAMES_UPGRADE = /(^|[\s,])upgrade([\s,]|$)/i

const VERSION = '13'
/** Sixteen bytes in base64. */
const KEY_CHARACTERS = 24
const KEY = /^[A-Za-z0-9+/]{22}==$/

const MALFORMED = problemReply(problem('invalid_request', 'Sec-WebSocket-Key must be 16 bytes in base64.'))
/** 426 belongs to the handshake of WebSockets alone, and is no answer of the API. */
const WRONG_VERSION: Reply = {
  ...problemReply(
    problem('invalid_request', `WebSockets are spoken in version ${VERSION}.`, {
      'Sec-WebSocket-Version': VERSION,
    }),
  ),
  status: 426,
}
const FULL = problemReply(
  problem('overloaded', 'Too many sockets are open here; try again.', retryAfter(RETRY_MS)),
)
const TOO_MANY = problemReply(
  problem('rate_limited', 'Too many sockets are open from this network.', retryAfter(RETRY_MS)),
)
