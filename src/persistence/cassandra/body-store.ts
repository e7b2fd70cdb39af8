import type { BodyStore } from '../body-port.ts'
import { type CassandraSession, statement } from './session.ts'
import * as cql from './statements.ts'

/** What Cassandra takes at most. */
const TTL_SECONDS_MAX = 630_720_000

export class CassandraBodyStore implements BodyStore {
  readonly #session: CassandraSession
  readonly #now: () => number

  constructor(session: CassandraSession, now: () => number = Date.now) {
    this.#session = session
    this.#now = now
  }

  async put(id: string, body: Uint8Array, expiresAtMs: number): Promise<void> {
    const seconds = Math.ceil((expiresAtMs - this.#now()) / 1_000)
    if (seconds <= 0) return this.delete(id)
    const ttl = Math.min(seconds, TTL_SECONDS_MAX)
    await this.#session.write([statement(cql.writeBody, id, Buffer.from(body), ttl)])
  }

  async get(id: string): Promise<Uint8Array | null> {
    const [row] = await this.#session.read(statement(cql.readBody, id))
    return row === undefined ? null : (row['body'] as Buffer)
  }

  async delete(id: string): Promise<void> {
    await this.#session.write([statement(cql.deleteBody, id)])
  }
}
