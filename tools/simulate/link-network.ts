import { LINK_VERSIONS } from '../../src/cluster/link/sockets/greeting.ts'
import type {
  DialOptions,
  Peer,
  ProvedWire,
  Transport,
  Wire,
  WireListener,
} from '../../src/cluster/link/wire.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { World } from './world.ts'

/** Chances for each batch, apart from what time and cuts do to it. TCP does none of this; the link must not rely on it. */
export type LinkFaults = {
  readonly latencyMs: number
  readonly lost: number
  readonly doubled: number
  readonly exchanged: number
  /** A connection ends by itself, or behind the back of one of its ends. */
  readonly torn: number
}

const quietLink: LinkFaults = { latencyMs: 20, lost: 0, doubled: 0, exchanged: 0, torn: 0 }

/** A batch as it arrives, before the link sees it: the how many-th of its connection, and when by the clock of its receiver. */
export type Arriving = (batch: Buffer, at: { readonly count: number; readonly nowMs: number }) => void

type Listening = { readonly process: SimulatedProcess; readonly accepted: (proved: ProvedWire) => void }

/** Virtual connections between the links of simulated processes, with cuts in one direction or both. */
export class LinkNetwork {
  readonly world: World
  faults: LinkFaults
  readonly arriving: Arriving
  readonly #listening = new Map<string, Listening>()
  readonly #cutUntilMs = new Map<string, number>()
  readonly #ends = new Set<End>()

  constructor(world: World, faults: LinkFaults, arriving: Arriving = () => undefined) {
    this.world = world
    this.faults = faults
    this.arriving = arriving
  }

  /** What is sent this way waits until then; TCP sends it again when the way is open. */
  cut(from: string, to: string, ms: number): void {
    this.world.note(() => `${from} reaches ${to} no more for ${ms.toFixed(0)} ms`)
    this.#cutUntilMs.set(`${from} ${to}`, this.world.nowMs + ms)
  }

  heal(): void {
    this.#cutUntilMs.clear()
    this.faults = quietLink
  }

  cutUntilMs(from: string, to: string): number {
    return this.#cutUntilMs.get(`${from} ${to}`) ?? 0
  }

  latencyMs(): number {
    return this.world.random.next() * this.faults.latencyMs
  }

  /** What is left of a process when it has crashed: most of its peers hear of it, some do not. */
  crashed(process: SimulatedProcess): void {
    for (const end of this.#ends) if (end.process === process) end.abandon()
  }

  forget(end: End): void {
    this.#ends.delete(end)
  }

  transportFor(process: SimulatedProcess, node: string): Transport {
    return {
      start: async (accepted) => void this.#listening.set(node, { process, accepted }),
      stop: async () => {
        if (this.#listening.get(node)?.process === process) this.#listening.delete(node)
      },
      dial: (peer, dial, options) => this.#dial(process, node, peer, dial, options),
    }
  }

  #dial(
    process: SimulatedProcess,
    node: string,
    peer: Peer,
    dial: number,
    { signal }: DialOptions,
  ): Promise<ProvedWire> {
    const { world } = this
    const { promise, resolve, reject } = Promise.withResolvers<ProvedWire>()
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    const isCut = (): boolean =>
      Math.max(this.cutUntilMs(node, peer.node), this.cutUntilMs(peer.node, node)) > world.nowMs
    if (!process.acts() || isCut()) return promise
    const greetedAtMs = process.runtime.monotonicMs()
    world.at(this.latencyMs() * 3, null, () => {
      const there = this.#listening.get(peer.node)
      if (there === undefined || !there.process.alive)
        return world.at(this.latencyMs(), process, () => reject(new Error('nobody listens')))
      return world.at(0, there.process, () => {
        const [near, far] = this.#pair(process, node, there.process, peer.node)
        const welcomedAtMs = there.process.runtime.monotonicMs()
        there.accepted(proved(there.process, node, process.name, dial, greetedAtMs, far))
        world.at(this.latencyMs(), process, () => {
          if (!isCut()) resolve(proved(process, peer.node, there.process.name, dial, welcomedAtMs, near))
        })
      })
    })
    return promise
  }

  #pair(one: SimulatedProcess, oneName: string, other: SimulatedProcess, otherName: string): [End, End] {
    const near = new End(this, one, oneName)
    const far = new End(this, other, otherName)
    near.other = far
    far.other = near
    this.#ends.add(near).add(far)
    return [near, far]
  }
}

const proved = (
  process: SimulatedProcess,
  node: string,
  incarnation: string,
  dial: number,
  sentAtMs: number,
  wire: Wire,
): ProvedWire => {
  const greeted = { sentAtMs, arrivedAtMs: process.runtime.monotonicMs() }
  return {
    node,
    incarnation,
    dial,
    speaks: LINK_VERSIONS.speaks,
    greeted,
    secretState: () => 'current',
    wire,
  }
}

/** One of the two ends of a virtual connection. */
class End implements Wire {
  readonly process: SimulatedProcess
  other: End | null = null
  readonly #network: LinkNetwork
  readonly #node: string
  #listener: WireListener | null = null
  #early: Buffer[] = []
  #received = 0
  #batches = 0
  #lastArrivalMs = 0
  #isClosed = false

  constructor(network: LinkNetwork, process: SimulatedProcess, node: string) {
    this.#network = network
    this.process = process
    this.#node = node
  }

  listen(listener: WireListener): void {
    this.#listener = listener
    for (const batch of this.#early.splice(0)) listener.received(batch)
  }

  unsentBytes(): number {
    return 0
  }

  receivedBytes(): number {
    return this.#received
  }

  send(batch: Uint8Array): void {
    const { other } = this
    const { world, faults } = this.#network
    if (other === null || this.#isClosed || !this.process.acts()) return
    const { random } = world
    if (random.chance(faults.torn)) {
      if (random.chance(0.5)) this.#closeAt(world.nowMs)
      return other.#closeAt(this.#arrivalMs(other))
    }
    if (random.chance(faults.lost)) return
    const bytes = Buffer.from(batch)
    let atMs = this.#arrivalMs(other)
    if (random.chance(faults.exchanged)) atMs += random.next() * 500
    other.#receiveAt(atMs, bytes)
    if (random.chance(faults.doubled)) other.#receiveAt(atMs + random.next() * 2_000, bytes)
  }

  end(): void {
    this.cut()
  }

  /** Bytes that were sent before arrive before the end does. */
  cut(): void {
    this.#closeAt(this.#network.world.nowMs)
    if (this.other !== null) this.other.#closeAt(this.#arrivalMs(this.other))
  }

  abandon(): void {
    this.#isClosed = true
    this.#network.forget(this)
    const { world } = this.#network
    const { other } = this
    if (other !== null && world.random.chance(0.7)) other.#closeAt(this.#arrivalMs(other))
  }

  #arrivalMs(other: End): number {
    const { world } = this.#network
    const openMs = Math.max(world.nowMs, this.#network.cutUntilMs(this.#node, other.#node))
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, openMs + this.#network.latencyMs())
    return this.#lastArrivalMs
  }

  #receiveAt(atMs: number, batch: Buffer): void {
    const { world, arriving } = this.#network
    world.at(atMs - world.nowMs, this.process, () => {
      if (this.#isClosed) return
      this.#received += batch.length
      const arrived = Buffer.from(batch)
      arriving(arrived, { count: ++this.#batches, nowMs: this.process.runtime.monotonicMs() })
      if (this.#listener === null) this.#early.push(arrived)
      else this.#listener.received(arrived)
    })
  }

  #closeAt(atMs: number): void {
    const { world } = this.#network
    world.at(atMs - world.nowMs, this.process, () => {
      if (this.#isClosed) return
      this.#isClosed = true
      this.#network.forget(this)
      this.#listener?.closed()
    })
  }
}
