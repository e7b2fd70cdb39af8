import { SocketInUse, type SocketHost } from '../../../../src/http/server/sockets/socket-in-use.ts'
import { type SocketSettings, socketDefaults } from '../../../../src/http/server/sockets/settings.ts'
import type { EndReason } from '../../../../src/http/server/sockets/sockets-options.ts'
import type { SocketListener } from '../../../../src/ports/sockets.ts'

/** What a server shares among its sockets, and what they have told it. */
export class GivenHost implements SocketHost {
  readonly settings: SocketSettings
  readonly ends: EndReason[] = []
  unread = 0
  hasMemory = true
  bytesKept = 0

  constructor(settings: Partial<SocketSettings> = {}) {
    this.settings = { ...socketDefaults, ...settings }
  }

  unreadChanged(bytes: number): void {
    this.unread += bytes
  }

  takeMemory(_: SocketInUse, bytes: number): boolean {
    if (this.hasMemory) this.bytesKept += bytes
    return this.hasMemory
  }

  giveMemory(_: SocketInUse, bytes: number): void {
    this.bytesKept -= bytes
  }

  boundUnread(): void {}
  kept(): void {}
  beginWork(): void {}
  endWork(): void {}
  failed(): void {}

  ended(_: SocketInUse, why: EndReason): void {
    this.ends.push(why)
  }
}

/** A socket whose other side reads when the test says so. */
export class GivenSocketInUse extends SocketInUse {
  readonly received: string[] = []
  readonly codes: number[] = []
  drains = 0
  /** What waits to be read, and how much of it is on its way in one piece. */
  waits = 0
  handed = 0
  onMessage: (text: string) => void | Promise<void> = () => undefined

  constructor(host: SocketHost, from = '192.0.2.1') {
    super(host, from)
    const listener: SocketListener = {
      received: async (message) => {
        const text = Buffer.from(message).toString()
        this.received.push(text)
        await this.onMessage(text)
      },
      drained: () => void this.drains++,
      ended: () => undefined,
    }
    this.listenedBy(listener)
  }

  say(text: string): void {
    this.messageCame(Buffer.from(text))
  }

  protected write(text: string): void {
    this.waits += text.length
  }

  protected writePing(): void {}

  protected writeEnd(code: number): void {
    this.codes.push(code)
  }

  protected cutOff(): void {}

  protected waitingBytes(): number {
    return this.waits
  }

  protected handedBytes(): number {
    return this.handed
  }

  protected readNoMore(): void {}
}
