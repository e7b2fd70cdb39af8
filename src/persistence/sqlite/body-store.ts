import type { BodyStore } from '../../ports/bodies.ts'
import type { SqliteJournalStore } from './journal-store.ts'

/** A deletion of more rows would hold up the commits of others for too long. */
const EXPIRED_AT_ONCE = 256
const SWEEP_INTERVAL_MS = 60_000

export class SqliteBodyStore implements BodyStore, Disposable {
  readonly #store: Pick<SqliteJournalStore, 'writer' | 'reader'>
  readonly #now: () => number
  readonly #sweeper: NodeJS.Timeout

  constructor(store: Pick<SqliteJournalStore, 'writer' | 'reader'>, now: () => number = Date.now) {
    this.#store = store
    this.#now = now
    this.#sweeper = setInterval(() => void this.sweep().catch(() => {}), SWEEP_INTERVAL_MS).unref()
  }

  put(id: string, body: Uint8Array, expiresAtMs: number): Promise<void> {
    return this.#store.writer.call('putBody', id, body, expiresAtMs)
  }

  get(id: string): Promise<Uint8Array | null> {
    return this.#store.reader.call('getBody', id, this.#now())
  }

  delete(id: string): Promise<void> {
    return this.#store.writer.call('deleteBody', id)
  }

  /** Removes expired bodies; a failed sweep is repeated at the next interval. */
  async sweep(): Promise<void> {
    let deleted: number
    do {
      deleted = await this.#store.writer.call('deleteExpiredBodies', this.#now(), EXPIRED_AT_ONCE)
    } while (deleted === EXPIRED_AT_ONCE)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#sweeper)
  }
}
