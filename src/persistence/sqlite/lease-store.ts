import type { LeaseStore, NodeLease } from '../../ports/lease.ts'
import { lockDataFolder } from './folder-lock.ts'

/** The lock on the data folder is the lease: the process that holds it is the only node until it ends. */
export class SqliteLeaseStore implements LeaseStore, Disposable {
  readonly #lock: Disposable
  #lease: NodeLease | null = null

  constructor(folder: string) {
    this.#lock = lockDataFolder(folder)
  }

  async list(): Promise<readonly NodeLease[]> {
    return this.#lease === null ? [] : [this.#lease]
  }

  async join(lease: NodeLease, replacing: NodeLease | null): Promise<boolean> {
    if (!isSame(this.#lease, replacing)) return false
    this.#lease = lease
    return true
  }

  async renew(lease: NodeLease): Promise<boolean> {
    if (!isSame(this.#lease, lease) || lease.state !== 'alive') return false
    this.#lease = { ...lease, counter: lease.counter + 1 }
    return true
  }

  async declareDead(lease: NodeLease): Promise<boolean> {
    if (!isSame(this.#lease, lease)) return false
    this.#lease = { ...lease, state: 'dead' }
    return true
  }

  async leave(lease: NodeLease): Promise<void> {
    if (isSame(this.#lease, lease)) this.#lease = { ...lease, state: 'left' }
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]()
  }
}

const isSame = (left: NodeLease | null, right: NodeLease | null): boolean =>
  left === null || right === null
    ? left === right
    : left.node === right.node &&
      left.incarnation === right.incarnation &&
      left.counter === right.counter &&
      left.state === right.state
