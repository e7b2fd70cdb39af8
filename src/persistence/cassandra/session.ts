import { type Client, policies, type QueryOptions, types } from 'cassandra-driver'
import { asStoreFailure } from './failures.ts'
import type { CassandraSettings } from '../engine-settings.ts'

export type Statement = { readonly query: string; readonly params: readonly unknown[] }

export const statement = (query: string, ...params: readonly unknown[]): Statement => ({ query, params })

/** The three ways in which the journal talks to Cassandra, each with its consistency and the retries it allows. */
export class CassandraSession {
  readonly client: Client
  readonly #plain: QueryOptions
  readonly #serialRead: QueryOptions
  readonly #conditional: QueryOptions

  constructor(client: Client, { consistency }: Pick<CassandraSettings, 'consistency'>) {
    const local = consistency === 'local_quorum'
    const quorum = local ? types.consistencies.localQuorum : types.consistencies.quorum
    const serial = local ? types.consistencies.localSerial : types.consistencies.serial
    this.client = client
    this.#plain = { prepare: true, isIdempotent: true, consistency: quorum }
    this.#serialRead = { prepare: true, isIdempotent: true, consistency: serial }
    // The driver must not repeat a conditional statement: it would find its own first attempt.
    this.#conditional = {
      prepare: true,
      isIdempotent: false,
      consistency: quorum,
      serialConsistency: serial,
      retry: new policies.retry.FallthroughRetryPolicy(),
    }
  }

  async read({ query, params }: Statement, fetchSize?: number): Promise<types.Row[]> {
    return this.#readWith(this.#plain, query, params, fetchSize)
  }

  /** Sees every committed conditional statement, and completes one that was left half done. */
  async readSerial({ query, params }: Statement): Promise<types.Row[]> {
    return this.#readWith(this.#serialRead, query, params)
  }

  /** Writes statements of one partition; several are one unlogged batch, which Cassandra applies as one mutation. */
  async write(statements: readonly Statement[]): Promise<void> {
    const [first, ...others] = statements
    if (first === undefined) return
    try {
      if (others.length === 0) await this.client.execute(first.query, first.params as unknown[], this.#plain)
      else await this.client.batch(statements as Mutable[], { ...this.#plain, logged: false })
    } catch (error) {
      throw asStoreFailure(error, 'write')
    }
  }

  /** Applies conditional statements of one partition, all or none. The rows of a refusal say why. */
  async applyIf(statements: readonly Statement[]): Promise<types.ResultSet> {
    const [first, ...others] = statements
    if (first === undefined) throw new RangeError('there is no statement to apply')
    try {
      return others.length === 0
        ? await this.client.execute(first.query, first.params as unknown[], this.#conditional)
        : await this.client.batch(statements as Mutable[], { ...this.#conditional, logged: false })
    } catch (error) {
      throw asStoreFailure(error, 'conditional')
    }
  }

  async close(): Promise<void> {
    await this.client.shutdown()
  }

  async #readWith(
    options: QueryOptions,
    query: string,
    params: readonly unknown[],
    fetchSize?: number,
  ): Promise<types.Row[]> {
    const rows: types.Row[] = []
    try {
      let pageState: string | Buffer | undefined
      do {
        const page = await this.client.execute(query, params as unknown[], {
          ...options,
          ...(fetchSize !== undefined && { fetchSize }),
          ...(pageState !== undefined && { pageState }),
        })
        rows.push(...page.rows)
        pageState = page.pageState
      } while (pageState !== undefined && pageState !== null)
      return rows
    } catch (error) {
      throw asStoreFailure(error, 'read')
    }
  }
}

type Mutable = { query: string; params: unknown[] }

/** Numbers of the journal stay far below 2^53, whichever type Cassandra gives them. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : (value as types.Long).toNumber()

export const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : numberOf(value)
