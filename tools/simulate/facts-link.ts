import { LinkFailed, type LinkHandler, type NodeLink } from '../../src/ports/node-link.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { World } from './world.ts'

export type LinkFaults = {
  readonly latencyMs: number
  readonly lost: number
  readonly doubled: number
  readonly late: number
  readonly lateMs: number
}

type End = { readonly process: SimulatedProcess; readonly handlers: Map<string, LinkHandler> }

/** Frames between simulated nodes: late, lost, doubled, and cut in one direction or both. */
export class FactsNetwork {
  readonly #world: World
  readonly #faults: LinkFaults
  readonly #ends = new Map<string, End>()
  readonly #cutUntilMs = new Map<string, number>()
  readonly #stalledUntilMs = new Map<string, number>()

  constructor(world: World, faults: LinkFaults) {
    this.#world = world
    this.#faults = faults
  }

  cut(from: string, to: string, ms: number): void {
    this.#world.note(() => `nothing goes from ${from} to ${to} for ${ms.toFixed(0)} ms`)
    this.#cutUntilMs.set(`${from} ${to}`, this.#world.nowMs + ms)
  }

  /** What goes this way meanwhile arrives afterwards. */
  stall(from: string, to: string, ms: number): void {
    this.#world.note(() => `what goes from ${from} to ${to} stands for ${ms.toFixed(0)} ms`)
    this.#stalledUntilMs.set(`${from} ${to}`, this.#world.nowMs + ms)
  }

  /** The link of a process that has just started; frames to the one before reach it as well. */
  linkOf(name: string, process: SimulatedProcess): Pick<NodeLink, 'handle' | 'request'> {
    const handlers = new Map<string, LinkHandler>()
    this.#ends.set(name, { process, handlers })
    return {
      handle: (service, handler) => void handlers.set(service, handler),
      request: (to, service, body, { timeoutMs }) =>
        this.#request(name, process, to, service, body, timeoutMs),
    }
  }

  #request(
    from: string,
    process: SimulatedProcess,
    to: string,
    service: string,
    body: Uint8Array,
    timeoutMs: number,
  ): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>()
    const end = new AbortController()
    process.runtime.sleep(timeoutMs, end.signal).then(
      () => reject(new LinkFailed('no answer in time', false)),
      () => undefined,
    )
    this.#world.note(() => `${from} asks ${to}: ${service} ${textOf(body)}`)
    const answered = (answer: Uint8Array): void => {
      end.abort()
      this.#world.note(() => `${to} has answered ${from}: ${service} ${textOf(answer)}`)
      resolve(answer)
    }
    const arrives = (): void => {
      const there = this.#ends.get(to)
      if (there === undefined) return
      // Whatever process has the name when the frame arrives.
      this.#world.at(0, there.process, () => {
        void there.handlers
          .get(service)?.(body, from, 5_000)
          .then(
            (answer) => this.#send(to, from, () => this.#world.at(0, process, () => answered(answer))),
            () => undefined,
          )
      })
    }
    this.#send(from, to, arrives)
    return promise
  }

  #send(from: string, to: string, arrive: () => void): void {
    const { random, healed, nowMs } = this.#world
    const { latencyMs, lost, doubled, late, lateMs } = this.#faults
    const stalledMs = Math.max(0, (this.#stalledUntilMs.get(`${from} ${to}`) ?? 0) - nowMs)
    const delayMs = stalledMs + random.next() * latencyMs
    if (healed) return void this.#world.at(delayMs, null, arrive)
    if (nowMs < (this.#cutUntilMs.get(`${from} ${to}`) ?? 0) || random.chance(lost)) return
    this.#world.at(random.chance(late) ? random.next() * lateMs : delayMs, null, arrive)
    if (random.chance(doubled)) this.#world.at(random.next() * lateMs, null, arrive)
  }
}

const textOf = (body: Uint8Array): string => Buffer.from(body).toString().slice(0, 800)
