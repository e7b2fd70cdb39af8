import { type Client, policies, type QueryOptions, types } from 'cassandra-driver'
import { asStoreFailure, type StatementKind } from './failures.ts'
import type { CassandraSettings } from '../engine-settings.ts'

/** A row of events may have 64 KB. */
const SCANNED_ROWS = 200

export type Statement = { readonly query: string; readonly params: unknown[] }

export const statement = (query: string, ...params: unknown[]): Statement => ({ query, params })

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

  read(wanted: Statement): Promise<types.Row[]> {
    return this.#rows(wanted, this.#plain)
  }

  /** Page by page, for what is more than memory holds. One copy of it is asked. */
  async *scan({ query, params }: Statement): AsyncGenerator<types.Row> {
    const options = { ...this.#plain, consistency: types.consistencies.localOne, fetchSize: SCANNED_ROWS }
    try {
      for (let pageState: string | undefined; ; ) {
        const page = await this.client.execute(query, params, { ...options, ...(pageState && { pageState }) })
        yield* page.rows
        pageState = page.pageState
        if (!pageState) return
      }
    } catch (error) {
      throw asStoreFailure(error, 'read')
    }
  }

  /** Sees every committed conditional statement, and completes one that was left half done. */
  readSerial(wanted: Statement): Promise<types.Row[]> {
    return this.#rows(wanted, this.#serialRead)
  }

  /** Writes statements of one partition; several are one unlogged batch, which Cassandra applies as one mutation. */
  async write(statements: readonly Statement[]): Promise<void> {
    if (statements.length > 0) await this.#apply(statements, this.#plain, 'write')
  }

  /** Applies conditional statements of one partition, all or none. The rows of a refusal say why. */
  applyIf(statements: readonly Statement[]): Promise<types.ResultSet> {
    return this.#apply(statements, this.#conditional, 'conditional')
  }

  async close(): Promise<void> {
    await this.client.shutdown()
  }

  async #apply(
    statements: readonly Statement[],
    options: QueryOptions,
    kind: StatementKind,
  ): Promise<types.ResultSet> {
    const [first, ...others] = statements
    if (first === undefined) throw new RangeError('there is no statement to apply')
    try {
      return others.length === 0
        ? await this.client.execute(first.query, first.params, options)
        : await this.client.batch([...statements], { ...options, logged: false })
    } catch (error) {
      throw asStoreFailure(error, kind)
    }
  }

  /** By hand, because the library's own way through the pages ends at an empty first one. */
  async #rows({ query, params }: Statement, options: QueryOptions): Promise<types.Row[]> {
    const rows: types.Row[] = []
    try {
      for (let pageState: string | undefined; ; ) {
        const page = await this.client.execute(query, params, { ...options, ...(pageState && { pageState }) })
        rows.push(...page.rows)
        pageState = page.pageState
        if (!pageState) return rows
      }
    } catch (error) {
      throw asStoreFailure(error, 'read')
    }
  }
}

/** Numbers of the journal stay far below 2^53, whichever type Cassandra gives them. */
export const numberOf = (value: unknown): number =>
  typeof value === 'number' ? value : (value as types.Long).toNumber()

export const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : numberOf(value)
