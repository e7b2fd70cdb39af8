import type { BodyStore, KeptNow } from '../../ports/bodies.ts'
import { type CassandraSession, statement } from './session.ts'
import * as cql from './statements.ts'

/** The limits of Cassandra: this long a TTL, and no expiry after January 2038, as versions before 5 count it. */
const TTL_SECONDS_MAX = 630_720_000
const END_SECONDS_MAX = 2 ** 31 - 2
/** The clocks of the nodes may be ahead of ours. */
const CLOCK_MARGIN_SECONDS = 86_400

export class CassandraBodyStore implements BodyStore {
  readonly #session: CassandraSession
  readonly #now: () => number

  constructor(session: CassandraSession, now: () => number = Date.now) {
    this.#session = session
    this.#now = now
  }

  async put(record: string, id: string, sealed: string, expiresAtMs: number): Promise<void> {
    const nowMs = this.#now()
    const seconds = Math.ceil((expiresAtMs - nowMs) / 1_000)
    if (seconds <= 0) return this.delete(record, id)
    const untilEnd = END_SECONDS_MAX - CLOCK_MARGIN_SECONDS - Math.ceil(nowMs / 1_000)
    const ttl = Math.max(1, Math.min(seconds, TTL_SECONDS_MAX, untilEnd))
    await this.#session.write([statement(cql.writeBody, record, id, sealed, ttl)])
  }

  async get(record: string, id: string): Promise<string | null> {
    const [row] = await this.#session.read(statement(cql.readBody, record, id))
    return row === undefined ? null : String(row['body'])
  }

  async delete(record: string, id: string): Promise<void> {
    await this.#session.write([statement(cql.deleteBody, record, id)])
  }

  async deleteOthers(record: string, kept: KeptNow): Promise<void> {
    const rows = await this.#session.read(statement(cql.readBodyIds, record))
    const keptIds = kept()
    if (keptIds === null) return
    const others = rows.map((row) => String(row['id'])).filter((id) => !keptIds.includes(id))
    if (others.length > 0)
      await this.#session.write(others.map((id) => statement(cql.deleteBody, record, id)))
  }

  /** Deletes what lies between the ids that are kept, so that nothing has to be read. */
  async keepOnly(record: string, ids: readonly string[]): Promise<void> {
    const kept = ids.toSorted()
    const [first] = kept
    const last = kept.at(-1)
    if (first === undefined || last === undefined)
      return this.#session.write([statement(cql.deleteBodies, record)])
    const between = kept
      .slice(1)
      .map((id, index) => statement(cql.deleteBodiesBetween, record, kept[index], id))
    await this.#session.write([
      statement(cql.deleteBodiesBefore, record, first),
      ...between,
      statement(cql.deleteBodiesAfter, record, last),
    ])
  }
}
