import { LinkFailed, type LinkHandler, type NodeLink } from '../../../src/ports/node-link.ts'
import type { ShardMap } from '../../../src/ports/shard-map.ts'

/** Nodes that reach each other at once, unless the way from one to the other is cut: in one direction, as networks are. */
export class LinkedNodes {
  readonly map: ShardMap = { version: 1, frozen: false, places: [] }
  delayMs = 0
  requests = 0
  readonly #handlers = new Map<string, LinkHandler>()
  readonly #cut = new Set<string>()

  of(name: string): Pick<NodeLink, 'handle' | 'request'> {
    return {
      handle: (service, handler) => void this.#handlers.set(`${name} ${service}`, handler),
      request: async (to, service, body) => {
        this.requests++
        await this.#way(name, to)
        const handler = this.#handlers.get(`${to} ${service}`)
        if (handler === undefined) throw new LinkFailed('no such service', false)
        const answer = await handler(body, name, 5_000)
        await this.#way(to, name)
        return answer
      },
    }
  }

  cut(from: string, to: string): void {
    this.#cut.add(`${from} ${to}`)
  }

  mend(): void {
    this.#cut.clear()
  }

  async #way(from: string, to: string): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.delayMs))
    if (this.#cut.has(`${from} ${to}`)) throw new LinkFailed('the way is cut', false)
  }
}
