import { LinkFailed, type LinkHandler, type NodeLink } from '../../../src/ports/node-link.ts'
import type { ShardMap } from '../../../src/ports/shard-map.ts'
import { within } from '../../../src/timing/within.ts'

/** Nodes that reach each other at once, unless the way from one to the other is cut: in one direction, as networks are. */
export class LinkedNodes {
  readonly map: ShardMap = { version: 1, frozen: false, places: [] }
  delayMs = 0
  requests = 0
  readonly #handlers = new Map<string, LinkHandler>()
  readonly #cut = new Set<string>()
  /** Frames on these ways arrive when they are mended. */
  readonly #stalled = new Map<string, PromiseWithResolvers<void>>()

  of(name: string): Pick<NodeLink, 'handle' | 'request'> {
    return {
      handle: (service, handler) => void this.#handlers.set(`${name} ${service}`, handler),
      request: (to, service, body, { timeoutMs }) => {
        this.requests++
        const late = (): Error => new LinkFailed('no answer in time', false)
        return within(timeoutMs, this.#answer(name, to, service, body), late)
      },
    }
  }

  cut(from: string, to: string): void {
    this.#cut.add(`${from} ${to}`)
  }

  stall(from: string, to: string): void {
    this.#stalled.set(`${from} ${to}`, Promise.withResolvers())
  }

  mend(): void {
    this.#cut.clear()
    for (const { resolve } of this.#stalled.values()) resolve()
    this.#stalled.clear()
  }

  async #answer(from: string, to: string, service: string, body: Uint8Array): Promise<Uint8Array> {
    await this.#way(from, to)
    const handler = this.#handlers.get(`${to} ${service}`)
    if (handler === undefined) throw new LinkFailed('no such service', false)
    const answer = await handler(body, from, 5_000)
    await this.#way(to, from)
    return answer
  }

  async #way(from: string, to: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    await this.#stalled.get(`${from} ${to}`)?.promise
    if (this.#cut.has(`${from} ${to}`)) throw new LinkFailed('the way is cut', false)
  }
}
