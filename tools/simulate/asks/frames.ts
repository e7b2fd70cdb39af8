import { LinkFailed, type LinkHandler, type NodeLink } from '../../../src/ports/node-link.ts'
import type { Random } from '../random.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'

/** Rates are per frame. */
export type FrameFaults = {
  readonly latencyMs: number
  readonly lost: number
  readonly late: number
  readonly lateMs: number
  readonly doubled: number
  readonly notSent: number
  /** Of one direction between two nodes. */
  readonly cutsPerMinute: number
  readonly cutMs: number
}

export const drawFrameFaults = (random: Random): FrameFaults => {
  const maybe = (most: number): number => (random.chance(0.6) ? random.next() ** 2 * most : 0)
  return {
    latencyMs: random.pick([1, 5, 40]),
    lost: maybe(0.15),
    late: maybe(0.15),
    lateMs: random.pick([500, 3_000, 15_000]),
    doubled: maybe(0.2),
    notSent: maybe(0.15),
    cutsPerMinute: maybe(8),
    cutMs: random.pick([1_000, 6_000, 20_000]),
  }
}

/** How soon a connection over which nothing comes is given up. */
const NOTICED_MS = 2_500

type End = { readonly process: SimulatedProcess; readonly handlers: Map<string, LinkHandler> }
type Peer = { readonly node: string; readonly isConnected: boolean }

/** The links between all processes. Frames are copies of bytes; what is lost, late or doubled is drawn for each. */
export class Frames {
  readonly #world: World
  readonly #faults: FrameFaults
  readonly #ends = new Map<string, End>()
  readonly #listeners = new Map<string, Set<(peer: Peer) => void>>()
  readonly #cutUntilMs = new Map<string, number>()

  constructor(world: World, faults: FrameFaults, nodes: readonly string[]) {
    this.#world = world
    this.#faults = faults
    if (faults.cutsPerMinute > 0) this.#cutLater(nodes)
  }

  link(node: string, process: SimulatedProcess): NodeLink {
    const handlers = new Map<string, LinkHandler>()
    const listeners = new Set<(peer: Peer) => void>()
    this.#ends.set(node, { process, handlers })
    this.#listeners.set(node, listeners)
    return {
      handle: (service, handler) => void handlers.set(service, handler),
      request: (to, service, body, { timeoutMs }) =>
        this.#request(node, process, to, service, body, timeoutMs),
      onPeer: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      peers: () => [],
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
    if (!process.acts()) return promise
    const world = this.#world
    const fail = (reason: string, notSent: boolean, afterMs: number): void => {
      world.at(afterMs, process, () => reject(new LinkFailed(reason, notSent)))
    }
    if (!world.healed && world.random.chance(this.#faults.notSent)) {
      fail('no connection', true, 0)
      return promise
    }
    fail('no answer in time', false, timeoutMs)
    const isCut = this.#isCut(from, to) || this.#isCut(to, from)
    if (isCut) fail('the connection is lost', false, world.random.next() * NOTICED_MS)
    const copy = Uint8Array.from(body)
    this.#carry(
      from,
      to,
      (latencyMs) => {
        const end = this.#ends.get(to)
        if (end === undefined) return
        world.at(latencyMs, end.process, () =>
          this.#answer(end, from, to, service, copy, (answer) => {
            this.#carry(to, from, (backMs) =>
              world.at(backMs, process, () => resolve(Uint8Array.from(answer))),
            )
          }),
        )
      },
      () => fail('the connection is lost', false, world.random.next() * NOTICED_MS),
    )
    return promise
  }

  #answer(
    { process, handlers }: End,
    from: string,
    to: string,
    service: string,
    body: Uint8Array,
    answered: (answer: Uint8Array) => void,
  ): void {
    if (!process.acts()) return
    const handler = handlers.get(service)
    if (handler === undefined) return
    this.#world.note(() => `${from} asks ${to}: ${Buffer.from(body).toString().slice(0, 120)}`)
    handler(body, from, 5_000).then(
      (answer) => {
        if (process.acts()) answered(answer)
      },
      (error: unknown) => this.#world.fail(error as Error),
    )
  }

  /** A frame in one direction: it arrives, arrives late, arrives twice, or does not. */
  #carry(
    from: string,
    to: string,
    arrive: (afterMs: number) => void,
    lost: () => void = () => undefined,
  ): void {
    const { random, healed } = this.#world
    const { latencyMs, late, lateMs, doubled } = this.#faults
    const soon = random.next() * latencyMs
    if (healed) return arrive(soon)
    if (this.#isCut(from, to) || random.chance(this.#faults.lost)) return lost()
    if (random.chance(late)) {
      lost()
      return arrive(random.next() * lateMs)
    }
    arrive(soon)
    if (random.chance(doubled)) arrive(random.next() * lateMs)
  }

  #isCut(from: string, to: string): boolean {
    return !this.#world.healed && this.#world.nowMs < (this.#cutUntilMs.get(`${from}>${to}`) ?? 0)
  }

  #cutLater(nodes: readonly string[]): void {
    const world = this.#world
    world.at((world.random.next() * 120_000) / this.#faults.cutsPerMinute, null, () => {
      if (world.healed) return
      const [from, to] = [world.random.pick(nodes), world.random.pick(nodes)]
      const ms = world.random.between(0.3, 1.3) * this.#faults.cutMs
      this.#cutUntilMs.set(`${from}>${to}`, world.nowMs + ms)
      world.note(() => `nothing goes from ${from} to ${to} for ${ms.toFixed(0)} ms`)
      world.at(ms, this.#ends.get(from)?.process ?? null, () => {
        for (const listener of this.#listeners.get(from) ?? []) listener({ node: to, isConnected: true })
      })
      this.#cutLater(nodes)
    })
  }
}
