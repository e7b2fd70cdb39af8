import type { Socket, SocketEnd, SocketListener } from '../../../ports/sockets.ts'
import { networksOf } from '../address.ts'
import type { SocketSettings } from './settings.ts'
import type { EndReason } from './sockets-options.ts'
import { WaitingPings } from './waiting-pings.ts'

/** Codes of RFC 6455 and its registry. */
const codeOf: Record<SocketEnd, number> = {
  going_away: 1001,
  refused: 1008,
  failed: 1011,
  try_again_later: 1013,
}

/** What comes for a socket that ends is still worked at where it has done nothing wrong. */
type EndToCome = { readonly why: SocketEnd; readonly reason: string; readonly takesMore: boolean }

/** What all sockets of a server share. */
export interface SocketHost {
  readonly settings: SocketSettings
  unreadChanged(bytes: number): void
  /** What waits to be read is within the bound of all sockets again; those that had most waiting may be over. */
  boundUnread(): void
  takeMemory(socket: SocketInUse, bytes: number): boolean
  giveMemory(socket: SocketInUse, bytes: number): void
  /** Its other side has shown who it is. */
  kept(socket: SocketInUse): void
  beginWork(): void
  endWork(): void
  failed(error: unknown): void
  ended(socket: SocketInUse, why: EndReason): void
}

/**
 * One open socket, from its opening to its end, without the server that it is of. There may be very many, and nearly all
 * of them are silent: none has a timer or a closure of its own.
 */
export abstract class SocketInUse implements Socket {
  /** Where it comes from, for the limits; and the widest network that a single person may have there. */
  readonly network: string
  readonly widestNetwork: string
  /** The other side has shown who it is. */
  isKept = false
  readonly #all: SocketHost
  #listener: SocketListener | null = null
  #isOver = false
  #isHeard = true
  #isBehind = false
  #isWorking = false
  /** How it ends once what came is worked off. */
  #endToCome: EndToCome | null = null
  #waiting: Uint8Array[] | null = null
  #pings: WaitingPings | null = null
  #unreadBytes = 0
  /** Of what waited, some has left since the last round. */
  #hasLeft = false
  #handedBytes = 0
  #silentRounds = 0
  #strangerRounds = 0
  #unreadRounds = 0

  constructor(all: SocketHost, from: string) {
    this.#all = all
    const [network, ...wider] = networksOf(from)
    this.network = network
    this.widestNetwork = wider.at(-1) ?? network
  }

  protected abstract write(text: string): void
  protected abstract writePing(said: string): void
  protected abstract writeEnd(code: number, reason: string): void
  protected abstract cutOff(): void
  /** What waits in this process until the other side reads. */
  protected abstract waitingBytes(): number
  /** What it has handed over in one piece and counts whole until all of that has left; 0 where the server does not do so. */
  protected abstract handedBytes(): number
  /** Reads no more, or goes on, where the server can do that. */
  protected abstract readNoMore(isPaused: boolean): void

  /** What waits to be read by the other side, as last counted. */
  get unreadBytes(): number {
    return this.#unreadBytes
  }

  listenedBy(listener: SocketListener): void {
    this.#listener = listener
  }

  send(text: string): boolean {
    if (this.#isOver || !this.#boundUnread()) return false
    this.write(text)
    this.countUnread()
    if (this.#unreadBytes > this.#all.settings.behindBytes) this.#isBehind = true
    return !this.#isBehind
  }

  ping(heard: () => void): void {
    if (this.#isOver) return
    this.#pings ??= new WaitingPings()
    if (this.#pings.count >= this.#all.settings.pingsMax) return this.cut('silent')
    this.writePing(this.#pings.next(heard))
  }

  keep(): void {
    if (this.isKept || this.#isOver) return
    this.isKept = true
    this.#all.kept(this)
  }

  end(why: SocketEnd, reason: string): void {
    if (this.#isOver) return
    this.#over(why)
    // What it has sent after what it is refused for is not looked at.
    this.#dropWaiting()
    this.writeEnd(codeOf[why], reason)
  }

  endAfterWork(why: SocketEnd, reason: string): void {
    this.#finish({ why, reason, takesMore: false })
  }

  /** Ends it without a word; what was not sent yet is lost. */
  cut(why: EndReason): void {
    if (this.#isOver) return
    this.#over(why)
    this.#dropWaiting()
    this.cutOff()
  }

  /** The node stops: what is being worked at is finished and answered before. */
  leave(): void {
    this.#finish({ why: 'going_away', reason: 'the node stops', takesMore: true })
  }

  // Below is what the server of the socket calls.

  messageCame(message: Uint8Array): void {
    this.#isHeard = true
    if (this.#isOver || this.#endToCome?.takesMore === false) return
    if (!this.isKept && message.byteLength > this.#all.settings.strangerMessageBytesMax) {
      this.end('refused', 'too large from a stranger')
      return
    }
    if (!this.#all.takeMemory(this, message.byteLength)) {
      this.endAfterWork('try_again_later', 'too much comes at once')
      return
    }
    if (!this.#isWorking) return this.#work(message)
    this.#waiting ??= []
    this.#waiting.push(message)
    this.readNoMore(true)
    if (this.#waiting.length > this.#all.settings.waitingMax)
      this.endAfterWork('try_again_later', 'too many messages')
  }

  /** The library has answered it already, whether the other side reads or not. */
  pingCame(): void {
    this.#isHeard = true
    this.#boundUnread()
  }

  pongCame(said: Uint8Array): void {
    this.#isHeard = true
    this.#pings?.answered(said)
  }

  readOn(): void {
    this.countUnread()
    this.#tellDrained()
  }

  closed(): void {
    this.#over('left')
  }

  countUnread(): void {
    const unread = this.#isOver ? 0 : this.waitingBytes()
    const handed = unread === 0 ? 0 : this.handedBytes()
    // It is counted before and after each write, so that what comes in does not hide what goes out.
    if (unread < this.#unreadBytes || handed < this.#handedBytes) this.#hasLeft = true
    this.#all.unreadChanged(unread - this.#unreadBytes)
    this.#unreadBytes = unread
    this.#handedBytes = handed
  }

  /** Called in each round; nothing is asked of those that are not silent. */
  look(): void {
    const { roundsToPing, roundsToSilence, roundsToShow, roundsToRead } = this.#all.settings
    this.countUnread()
    // The answer to a ping waits behind all that a slow reader has still to read.
    this.#silentRounds = this.#isHeard || this.#hasLeft ? 0 : this.#silentRounds + 1
    this.#isHeard = false
    const isStuck = this.#unreadBytes > 0 && !this.#hasLeft
    this.#unreadRounds = isStuck ? this.#unreadRounds + 1 : 0
    this.#hasLeft = false
    this.#tellDrained()
    if (!this.isKept) this.#strangerRounds += 1
    if (this.#unreadRounds >= roundsToRead) this.cut('unread')
    else if (this.#silentRounds >= roundsToSilence) this.cut('silent')
    else if (this.#strangerRounds >= roundsToShow) this.endAfterWork('refused', 'nobody showed who is there')
    else if (this.#silentRounds === roundsToPing) this.#pingIdle()
  }

  #finish(end: EndToCome): void {
    if (!this.#isWorking) this.end(end.why, end.reason)
    else if (this.#endToCome?.takesMore !== false) this.#endToCome = end
  }

  #tellDrained(): void {
    if (!this.#isBehind || this.#unreadBytes > this.#all.settings.behindBytes / 2) return
    this.#isBehind = false
    this.#listener?.drained()
  }

  #pingIdle(): void {
    this.#pings ??= new WaitingPings()
    this.writePing(this.#pings.next(null))
  }

  /** Whoever has let too much wait loses the socket; false where it is over. */
  #boundUnread(): boolean {
    this.countUnread()
    if (this.#unreadBytes > this.#all.settings.unreadBytesMax) this.cut('unread')
    else this.#all.boundUnread()
    return !this.#isOver
  }

  #work(message: Uint8Array): void {
    this.#isWorking = true
    this.#all.beginWork()
    void this.#workOff(message)
  }

  async #workOff(first: Uint8Array): Promise<void> {
    for (let message: Uint8Array | undefined = first; message !== undefined; ) {
      const { byteLength } = message
      try {
        await this.#listener?.received(message)
      } catch (error) {
        this.#all.failed(error)
        this.end('failed', 'something went wrong here')
      }
      this.#all.giveMemory(this, byteLength)
      message = this.#waiting?.shift()
    }
    this.#isWorking = false
    if (!this.#isOver) this.readNoMore(false)
    if (this.#endToCome !== null) this.end(this.#endToCome.why, this.#endToCome.reason)
    this.#all.endWork()
  }

  #dropWaiting(): void {
    for (const { byteLength } of this.#waiting ?? []) this.#all.giveMemory(this, byteLength)
    this.#waiting = null
  }

  #over(why: EndReason): void {
    if (this.#isOver) return
    this.#isOver = true
    this.countUnread()
    this.#pings?.forget()
    this.#all.ended(this, why)
    this.#listener?.ended()
  }
}
