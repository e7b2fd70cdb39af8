import { Agent } from 'node:http'

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

  get state(): NodeState {
    const { isUp, open, taken, passedOn, lost } = this
    return { name: this.address.name, isUp, open, taken, passedOn, lost }
  }
}

/** The node that has least to do of those that are up and were not tried yet; among equals each has its turn. */
export class ProxiedNodes {
  readonly all: readonly ProxiedNode[]
  #turn = 0

  constructor(addresses: readonly NodeAddress[]) {
    this.all = addresses.map((address) => new ProxiedNode(address))
  }

  choose(tried: ReadonlySet<ProxiedNode>): ProxiedNode | null {
    this.#turn += 1
    const inTurn = this.all.map((_, index) => this.all[(index + this.#turn) % this.all.length])
    return inTurn.reduce<ProxiedNode | null>((best, node) => {
      if (node === undefined || !node.isUp || tried.has(node) || node.open >= OPEN_MAX) return best
      return best === null || node.open < best.open ? node : best
    }, null)
  }
}
