/** One connection to a node that has proved its name. Batches arrive whole and in their order, or the connection ends. */
export type Wire = {
  send(batch: Uint8Array): void
  /** What was sent and still waits in this process. */
  unsentBytes(): number
  /** Grows with every byte that arrives, also within a batch that is not whole yet. */
  receivedBytes(): number
  /** Ends the connection after what was sent; the other side gets all of it. */
  end(): void
  /** Ends it now; what was not sent yet is lost. */
  cut(): void
  /** Called once, right after the connection was handed over. */
  listen(listener: WireListener): void
}

export type WireListener = {
  received(batch: Buffer): void
  /** Called once, and not from within a call of this side. */
  closed(): void
}

/** The secret that a connection was proved with: the one that proves now, one that is still accepted, or neither. */
export type SecretState = 'current' | 'old' | 'revoked'

/** A connection after both sides have proved that they know the cluster's secret, and said their names. */
export type ProvedWire = {
  readonly node: string
  /** New at every start of the other process. */
  readonly incarnation: string
  /** Counts the dials of the process that dialed; the higher one of two is the later one. */
  readonly dial: number
  /** The newest of the link's versions that the other process speaks. */
  readonly speaks: number
  /** When the other side greeted, on its monotonic clock, and when that arrived, on ours. */
  readonly greeted: { readonly sentAtMs: number; readonly arrivedAtMs: number }
  readonly secretState: () => SecretState
  readonly wire: Wire
}

export type Peer = {
  readonly node: string
  readonly address: string
  /** Of the process that has the name, where that is known: a connection to another one is not kept. */
  readonly incarnation?: string
}

export type DialOptions = {
  readonly signal: AbortSignal
  /** Whether a secret will do that is accepted and proves no more, where the other node does not know the newer one yet. */
  readonly mayBeOld: boolean
}

/** Brings connections about; sockets in the service, virtual ones in the simulation. */
export type Transport = {
  /** Begins to accept. What is proved is handed over, and may be cut by the one who gets it. */
  start(accepted: (proved: ProvedWire) => void): Promise<void>
  /** Rejects with LinkRefused where a node was reached and said no. Ends early with `signal`. */
  dial(peer: Peer, dial: number, options: DialOptions): Promise<ProvedWire>
  /** Accepts no more, and ends what has proved nothing yet. Connections that were handed over go on. */
  stop(): Promise<void>
}

export const refusals = ['version', 'name', 'role', 'proof', 'lease'] as const
/**
 * The versions do not overlap; another node was meant; the dialer's name is the larger one; the proof is wrong; one of the
 * two is not the process that has its name by a lease.
 */
export type Refusal = (typeof refusals)[number]

/** The node at the other end was reached, and one of the two does not want the connection. The message is a sentence for the operator. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused'
  readonly why: Refusal
  constructor(why: Refusal, sentence: string) {
    super(sentence)
    this.why = why
  }
}
