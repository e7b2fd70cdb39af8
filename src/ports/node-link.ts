/** A request to another node that did not bring its answer; the work may have been done there all the same, unless `notSent`. */
export class LinkFailed extends Error {
  override readonly name = 'LinkFailed'
  readonly retryable = true
  /** True where the request was surely not begun: nothing of it left this process, or the other node says that it refused it. */
  readonly notSent: boolean
  constructor(reason: string, notSent: boolean, options?: ErrorOptions) {
    super(reason, options)
    this.notSent = notSent
  }
}

export type LinkPeer = {
  readonly node: string
  readonly state: 'connected' | 'connecting' | 'refused'
  /** Since when it is so, by the wall clock. */
  readonly sinceMs: number
  /** The newest version of the link that the node spoke when it was connected last; null where it never was. */
  readonly speaks: number | null
  readonly waiting: number
}

/**
 * Answers the requests of one service; `from` is the proved name of the node that asks, `leftMs` for how long it still
 * waits. A throw is told as a failure, without its message. The body is a view of a larger piece that arrived: what is
 * kept of it for long is better copied.
 */
export type LinkHandler = (body: Uint8Array, from: string, leftMs: number) => Promise<Uint8Array>

/** Requests and answers between the nodes of a cluster, encrypted and between nodes that have proved who they are. */
export interface NodeLink {
  /** One handler for each service; a request for a service without one fails. Said before the link is started. */
  handle(service: string, handler: LinkHandler): void
  /** Rejects with LinkFailed: no connection, the deadline, the bound of what may wait, or a handler that threw. */
  request(
    node: string,
    service: string,
    body: Uint8Array,
    options: { readonly timeoutMs: number },
  ): Promise<Uint8Array>
  /**
   * Told when a connection to a node is there, again when another one takes its place, and when there is none left. What
   * was sent on an earlier connection may have been lost.
   */
  onPeer(listener: (peer: { readonly node: string; readonly isConnected: boolean }) => void): () => void
  peers(): readonly LinkPeer[]
}
