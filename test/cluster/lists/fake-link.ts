import { LinkFailed, type LinkHandler, type NodeLink } from '../../../src/ports/node-link.ts'
import type { Random } from '../../../tools/simulate/random.ts'

export type Frame = {
  readonly from: string
  readonly to: string
  readonly service: string
  readonly isAnswer: boolean
  readonly body: Uint8Array
}

/** Links between nodes of one process. What crosses is copied, late, and where it is told so lost or doubled. */
export class FakeNetwork {
  /** Of all frames, which are lost and which requests come twice. */
  lostShare = 0
  doubledShare = 0
  delayMaxMs = 2
  /** All bytes that crossed, for counting. */
  bytes = 0
  requests = 0
  /** A frame is on its way until this resolves, too. */
  delayed: (frame: Frame) => Promise<void> = async () => undefined
  readonly #handlers = new Map<string, Map<string, LinkHandler>>()
  readonly #cut = new Set<string>()
  readonly #random: Random

  constructor(random: Random) {
    this.#random = random
  }

  link(from: string): Pick<NodeLink, 'handle' | 'request'> {
    const handlers = new Map<string, LinkHandler>()
    this.#handlers.set(from, handlers)
    return {
      handle: (service, handler) => void handlers.set(service, handler),
      request: (to, service, body, { timeoutMs }) =>
        this.#limited(this.#send(from, to, service, body), timeoutMs),
    }
  }

  cut(from: string, to: string, isCut = true): void {
    if (isCut) this.#cut.add(`${from} ${to}`)
    else this.#cut.delete(`${from} ${to}`)
  }

  /** A process that is gone answers nothing. */
  remove(node: string): void {
    this.#handlers.delete(node)
  }

  async #send(from: string, to: string, service: string, body: Uint8Array): Promise<Uint8Array> {
    await this.#frame({ from, to, service, isAnswer: false, body })
    const handler = this.#handlers.get(to)?.get(service)
    if (handler === undefined) throw new LinkFailed('no such node', true)
    if (this.#random.next() < this.doubledShare) handler(body.slice(), from, 5_000).catch(() => undefined)
    const answer = await handler(body.slice(), from, 5_000)
    await this.#frame({ from: to, to: from, service, isAnswer: true, body: answer })
    return answer.slice()
  }

  async #frame(frame: Frame): Promise<void> {
    const { from, to } = frame
    this.bytes += frame.body.length
    this.requests += 1
    await this.delayed(frame)
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(this.delayMaxMs + 1)))
    if (this.#cut.has(`${from} ${to}`) || this.#random.next() < this.lostShare)
      await new Promise(() => undefined)
  }

  async #limited(work: Promise<Uint8Array>, timeoutMs: number): Promise<Uint8Array> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new LinkFailed('no answer in time', false)), timeoutMs)
    work.catch(() => undefined)
    try {
      return await Promise.race([work, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }
}
