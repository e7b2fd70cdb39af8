import {
  type Journal,
  type ShardJournal,
  ShardLost,
  type TailPosition,
  type TailRecord,
} from '../actors/journal-port.ts'
import type { Ownership } from '../actors/ownership-port.ts'
import type { Runtime } from '../actors/runtime-port.ts'
import { Attempts } from './attempts.ts'
import type { ShardLogSettings } from './shard-log-settings.ts'
import { readTail } from './shard-log-tail.ts'
import { type ShardLogParts, takeOver } from './shard-log-takeover.ts'
import { ShardLogWriter } from './shard-log-writer.ts'
import type { JournalStore } from './store-port.ts'

type CommitListener = (shard: number, no: number) => void

/** The shard log on any engine. Disposing closes the shards that are open, not the store. */
export const openJournal = (
  store: JournalStore,
  runtime: Runtime,
  settings: ShardLogSettings,
  ownership: Ownership,
): Journal & AsyncDisposable => new ShardLog(store, runtime, settings, ownership)

class ShardLog implements Journal, AsyncDisposable {
  readonly #parts: ShardLogParts
  readonly #closed = new AbortController()
  readonly #open = new Map<number, ShardLogWriter | 'opening'>()
  readonly #listeners = new Set<CommitListener>()

  constructor(store: JournalStore, runtime: Runtime, settings: ShardLogSettings, ownership: Ownership) {
    const attempts = new Attempts(runtime, settings, this.#closed.signal)
    this.#parts = { store, runtime, settings, ownership, attempts }
  }

  async open(shard: number): Promise<ShardJournal> {
    const session = this.#parts.ownership.session()
    if (this.#closed.signal.aborted) throw new ShardLost(shard, 'closed')
    if (session === null || session.ended.aborted) throw new ShardLost(shard, 'lease-lost')
    if (this.#open.has(shard)) throw new Error(`shard ${shard} is open here already`)
    this.#open.set(shard, 'opening')
    const stop = new AbortController()
    const stopLeaseLost = (): void => stop.abort(new ShardLost(shard, 'lease-lost'))
    const stopClosed = (): void => stop.abort(new ShardLost(shard, 'closed'))
    session.ended.addEventListener('abort', stopLeaseLost)
    this.#closed.signal.addEventListener('abort', stopClosed)
    try {
      const taken = await takeOver(this.#parts, session, shard, stop.signal)
      stop.signal.throwIfAborted()
      return this.#serve(new ShardLogWriter(this.#parts, shard, taken, (no) => this.#committed(shard, no)))
    } catch (error) {
      this.#open.delete(shard)
      throw error
    } finally {
      session.ended.removeEventListener('abort', stopLeaseLost)
      this.#closed.signal.removeEventListener('abort', stopClosed)
    }
  }

  readTail(shard: number, from: TailPosition | null, limit: number): Promise<readonly TailRecord[]> {
    return readTail(this.#parts, shard, from, limit)
  }

  savePosition(reader: string, shard: number, position: TailPosition): Promise<void> {
    const { store, attempts } = this.#parts
    return attempts.once(() => store.savePosition(reader, shard, position))
  }

  readPosition(reader: string, shard: number): Promise<TailPosition | null> {
    const { store, attempts } = this.#parts
    return attempts.once(() => store.readPosition(reader, shard))
  }

  onCommitted(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  probe(): Promise<void> {
    return this.#parts.attempts.once(() => this.#parts.store.probe())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const writers = [...this.#open.values()].filter((writer) => writer !== 'opening')
    await Promise.all(writers.map((writer) => writer.close()))
    this.#closed.abort(new Error('the journal is closed'))
  }

  #serve(writer: ShardLogWriter): ShardLogWriter {
    this.#open.set(writer.shard, writer)
    void writer.lost.then(() => this.#open.delete(writer.shard))
    return writer
  }

  #committed(shard: number, no: number): void {
    for (const listener of this.#listeners) listener(shard, no)
  }
}
