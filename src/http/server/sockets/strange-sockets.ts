import { Counts } from './counts.ts'
import type { SocketInUse } from './socket-in-use.ts'

/**
 * Sockets whose other side has not shown who it is. A phone does that within a moment, so one that waits is more likely
 * nobody's; and however many come from one place, they push out nobody else.
 */
export class StrangeSockets {
  readonly #max: number
  /** The oldest first. */
  readonly #all = new Set<SocketInUse>()
  readonly #ofNetwork = new Counts()
  readonly #ofWidest = new Counts()

  constructor(max: number) {
    this.#max = max
  }

  ofNetwork(network: string): number {
    return this.#ofNetwork.of(network)
  }

  add(socket: SocketInUse): void {
    this.#all.add(socket)
    this.#count(socket, 1)
  }

  delete(socket: SocketInUse): void {
    if (this.#all.delete(socket)) this.#count(socket, -1)
  }

  /** Where there are too many, the oldest of the network that has most of them; nobody where there is room for all. */
  tooMany(): SocketInUse | null {
    if (this.#all.size <= this.#max) return null
    let oldest: SocketInUse | null = null
    for (const socket of this.#all)
      if (oldest === null || this.#beside(socket) > this.#beside(oldest)) oldest = socket
    return oldest
  }

  #beside({ widestNetwork }: SocketInUse): number {
    return this.#ofWidest.of(widestNetwork)
  }

  #count({ network, widestNetwork }: SocketInUse, count: number): void {
    this.#ofNetwork.add(network, count)
    this.#ofWidest.add(widestNetwork, count)
  }
}
