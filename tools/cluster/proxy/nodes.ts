import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'

/** Where a node of the service takes requests, and where it says whether it wants any. */
export type NodeAddress = {
  readonly name: string
  readonly host: string
  readonly port: number
  readonly readyUrl: string
}

export type NodeState = {
  readonly name: string
  readonly isUp: boolean
  /** Requests and upgraded connections under way. */
  readonly open: number
  readonly taken: number
  /** Requests whose connection to the node was never made, so that another node got them. */
  readonly passedOn: number
  /** Requests that the node did not answer to their end. */
  readonly lost: number
}

/** More at once than a node works at the same time only wait in it. */
const OPEN_MAX = 2_048
/** Shorter than the time for which a node keeps a connection without a request, so that none is used as it closes. */
const IDLE_MS = 4_000
const SOCKETS_KEPT_MAX = 256

export class ProxiedNode {
  readonly address: NodeAddress
  readonly agent = new Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: SOCKETS_KEPT_MAX })
  isUp = false
  open = 0
  taken = 0
  passedOn = 0
  lost = 0

  constructor(address: NodeAddress) {
    this.address = address
  }

  /** Closes the connections on which nothing is under way; the others close behind their request. */
  closeIdle(): void {
    for (const sockets of Object.values(this.agent.freeSockets))
      sockets?.forEach((socket) => socket.destroy())
    this.agent.maxFreeSockets = 0
  }

  get state(): NodeState {
    const { isUp, open, taken, passedOn, lost } = this
    return { name: this.address.name, isUp, open, taken, passedOn, lost }
  }
}

/** The nodes that the proxy knows, each watched from the moment it is known until it is not. */
export class ProxiedNodes {
  readonly #watch: (node: ProxiedNode, signal: AbortSignal) => Promise<void>
  readonly #watched = new Map<ProxiedNode, { readonly end: AbortController; readonly ended: Promise<void> }>()
  #turn = 0

  constructor(watch: (node: ProxiedNode, signal: AbortSignal) => Promise<void>) {
    this.#watch = watch
  }

  get states(): readonly NodeState[] {
    return [...this.#watched.keys()].map(({ state }) => state)
  }

  /** From now on these; requests at a node that is not among them any more go on to their end. */
  async know(addresses: readonly NodeAddress[]): Promise<void> {
    const before = [...this.#watched.keys()]
    const isSame = (node: ProxiedNode, other: NodeAddress) => isDeepStrictEqual(node.address, other)
    const gone = before.filter((node) => !addresses.some((address) => isSame(node, address)))
    for (const address of addresses) {
      if (before.some((node) => isSame(node, address))) continue
      const [node, end] = [new ProxiedNode(address), new AbortController()]
      this.#watched.set(node, { end, ended: this.#watch(node, end.signal) })
    }
    await Promise.all(gone.map((node) => this.#forget(node)))
  }

  /** The one that has least to do of those that are up and were not tried yet; among equals each has its turn. */
  choose(tried: ReadonlySet<ProxiedNode>): ProxiedNode | null {
    const all = [...this.#watched.keys()]
    this.#turn = (this.#turn + 1) % Math.max(1, all.length)
    const inTurn = [...all.slice(this.#turn), ...all.slice(0, this.#turn)]
    return inTurn.reduce<ProxiedNode | null>((best, node) => {
      if (!node.isUp || tried.has(node) || node.open >= OPEN_MAX) return best
      return best === null || node.open < best.open ? node : best
    }, null)
  }

  async #forget(node: ProxiedNode): Promise<void> {
    const watched = this.#watched.get(node)
    this.#watched.delete(node)
    watched?.end.abort()
    await watched?.ended
    node.closeIdle()
  }
}
