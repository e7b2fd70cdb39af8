import type { BodyStore } from '../../ports/bodies.ts'
import type { SqliteReader } from './journal-reads.ts'
import type { SqliteWriter } from './journal-store.ts'

/** A deletion of more rows would hold up the commits of others for too long. */
const EXPIRED_AT_ONCE = 256
const SWEEP_INTERVAL_MS = 60_000

export class SqliteBodyStore implements BodyStore, Disposable {
  readonly #writer: SqliteWriter
  readonly #reader: SqliteReader
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout

  constructor(writer: SqliteWriter, reader: SqliteReader, now: () => number = Date.now) {
    this.#writer = writer
    this.#reader = reader
    this.#now = now
    this.#sweeper = setInterval(() => void this.sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref()
  }

  put(id: string, body: Uint8Array, expiresAtMs: number): Promise<void> {
    return this.#writer.call('putBody', id, body, expiresAtMs)
  }

  get(id: string): Promise<Uint8Array | null> {
    return this.#reader.call('getBody', id, this.#now())
  }

  delete(id: string): Promise<void> {
    return this.#writer.call('deleteBody', id)
  }

  /** Removes expired bodies; a failed sweep is repeated at the next interval. */
  async sweep(): Promise<void> {
    let deleted: number
    do {
      deleted = await this.#writer.call('deleteExpiredBodies', this.#now(), EXPIRED_AT_ONCE)
    } while (deleted === EXPIRED_AT_ONCE)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper)
  }
}
