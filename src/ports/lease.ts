/**
 * Leases without comparing clocks. A node's row has a counter that the node raises by compare-and-set; a rival may
 * take over only after it has seen the same counter for the whole dead time on its own monotonic clock, and only by
 * a compare-and-set on that very counter, which makes the old owner's next renewal fail.
 */
export type NodeLease = {
  readonly node: string
  /** New at every process start. */
  readonly incarnation: string
  /** Negative where others have ended the lease, which its node never writes. */
  readonly counter: number
  readonly address: string
  /** Where other nodes reach its node link; '' where it has none. */
  readonly linkAddress: string
  /**
   * `coming`: the name is taken and the links are being made; it serves nothing, and nobody waits for it. `alive`: it
   * takes part.
   */
  readonly state: 'coming' | 'alive' | 'dead' | 'left'
  /** The nodes that its links were connected to when it renewed; not there where it has no links. */
  readonly reached?: readonly string[]
}

/** Whether a process answers for the row, as far as the row says. */
export const stands = ({ state }: Pick<NodeLease, 'state'>): boolean =>
  state === 'alive' || state === 'coming'

/**
 * The row of a lease that others end although its node renews it: the next renewal is refused, and from then on the row
 * stands still like that of a node that died. A release that knows nothing of it waits just as long before it takes what
 * the node may still answer for, which a state that is new to it would not make it do.
 */
export const endedLease = (lease: NodeLease): NodeLease => ({ ...lease, counter: -1 - lease.counter })

export const isEnded = ({ counter }: Pick<NodeLease, 'counter'>): boolean => counter < 0

export interface LeaseStore {
  list(): Promise<readonly NodeLease[]>
  /**
   * Adds a first row, or writes over the exact row that was read: a new incarnation, or the next step of one that comes.
   * False when another process was faster.
   */
  join(lease: NodeLease, replacing: NodeLease | null): Promise<boolean>
  /**
   * Raises the counter of the exact row; false when the lease is lost. After a StoreFailure it is not known to be
   * renewed, and is tried again until it runs out.
   */
  renew(lease: NodeLease): Promise<boolean>
  /** Marks the exact row dead; false when the row has changed, so its node lives. */
  declareDead(lease: NodeLease): Promise<boolean>
  /** Ends the lease of the exact row, of a node that lives and does not do its part; false when the row has changed. */
  end(lease: NodeLease): Promise<boolean>
  leave(lease: NodeLease): Promise<void>
}
