import { endedLease, type LeaseStore, type NodeLease } from '../../ports/lease.ts'
import { type CassandraSession, numberOf, statement } from './session.ts'
import * as cql from './statements.ts'

/** Leases as a row for each node, changed only by compare-and-set on the row that was read. */
export class CassandraLeaseStore implements LeaseStore {
  readonly #session: CassandraSession

  constructor(session: CassandraSession) {
    this.#session = session
  }

  async list(): Promise<readonly NodeLease[]> {
    const rows = await this.#session.read(statement(cql.readNodes))
    return rows.map((row) => ({
      node: row['node'] as string,
      incarnation: row['incarnation'] as string,
      counter: numberOf(row['counter']),
      address: row['address'] as string,
      linkAddress: row['link_address'] as string,
      state: row['state'] as NodeLease['state'],
      ...reachedIn(row['reached']),
    }))
  }

  async join(lease: NodeLease, replacing: NodeLease | null): Promise<boolean> {
    if (replacing !== null) return this.#replace(replacing, lease)
    const { node, incarnation, counter, address, linkAddress, state } = lease
    const result = await this.#session.applyIf([
      statement(
        cql.insertNode,
        node,
        incarnation,
        counter,
        address,
        linkAddress,
        state,
        textOf(lease.reached),
      ),
    ])
    return result.wasApplied()
  }

  renew(lease: NodeLease): Promise<boolean> {
    return this.#replace({ ...lease, state: 'alive' }, { ...lease, counter: lease.counter + 1 })
  }

  declareDead(lease: NodeLease): Promise<boolean> {
    return this.#replace(lease, { ...lease, state: 'dead' })
  }

  end(lease: NodeLease): Promise<boolean> {
    return this.#replace(lease, endedLease(lease))
  }

  async leave(lease: NodeLease): Promise<void> {
    await this.#replace(lease, { ...lease, state: 'left' })
  }

  async #replace(expected: NodeLease, wanted: NodeLease): Promise<boolean> {
    const { incarnation, counter, address, linkAddress, state } = wanted
    const result = await this.#session.applyIf([
      statement(
        cql.replaceNode,
        incarnation,
        counter,
        address,
        linkAddress,
        state,
        textOf(wanted.reached),
        expected.node,
        expected.incarnation,
        expected.counter,
        expected.state,
      ),
    ])
    return result.wasApplied()
  }
}

const textOf = (reached: NodeLease['reached']): string | null =>
  reached === undefined ? null : JSON.stringify(reached)

const reachedIn = (text: unknown): Pick<NodeLease, 'reached'> =>
  typeof text === 'string' ? { reached: JSON.parse(text) as readonly string[] } : {}
