import { shardOfActor } from '../domain/references.ts'
import {
  ShardHeld,
  ShardLost,
  type Journal,
  type LeaseSession,
  type Ownership,
  type ShardJournal,
  type StoredEvent,
  type TailPosition,
  type TailRecord,
} from '../ports/journal.ts'
import type { Runtime } from '../ports/runtime.ts'
import { ReaderPositions } from './reader-positions.ts'
import { StoreCalls } from './store-calls.ts'
import type { ShardLogSettings } from './shard-log-settings.ts'
import { firstKeptNo, readTail } from './shard-log-tail.ts'
import { handBack, takeOver, type ShardLogParts } from './shard-log-takeover.ts'
import { ShardLogWriter } from './shard-log-writer.ts'
import type { JournalStore } from './store-port.ts'

type CommitListener = (shard: number, no: number) => void

/** The shard log on any engine. Disposing it closes the open shards, not the store. */
export const openJournal = (
  store: JournalStore,
  runtime: Runtime,
  settings: ShardLogSettings,
  ownership: Ownership,
  heldOf: ShardLogParts['heldOf'] = nothingHeld,
): Journal & AsyncDisposable => new ShardLog({ store, runtime, settings, ownership, heldOf })

const nothingHeld = (): Promise<ReadonlySet<string>> => Promise.resolve(new Set())

class ShardLog implements Journal, AsyncDisposable {
  readonly #parts: ShardLogParts
  readonly #closed = new AbortController()
  readonly #open = new Map<number, ShardLogWriter | 'opening'>()
  readonly #handingBack = new Map<number, AbortController>()
  readonly #listeners = new Set<CommitListener>()

  constructor(parts: Omit<ShardLogParts, 'calls' | 'positions'>) {
    const calls = new StoreCalls(parts.runtime, parts.settings, this.#closed.signal)
    this.#parts = { ...parts, calls, positions: new ReaderPositions(parts.store, calls) }
  }

  async open(shard: number, releasedEpoch?: number): Promise<ShardJournal> {
    const session = this.#parts.ownership.session()
    if (this.#closed.signal.aborted) throw new ShardLost(shard, 'closed')
    if (session === null || session.ended.aborted) throw new ShardLost(shard, 'lease-lost')
    if (this.#open.has(shard)) throw new Error(`shard ${shard} is open here already`)
    this.#open.set(shard, 'opening')
    this.#parts.positions.forget(shard)
    this.#handingBack.get(shard)?.abort(new Error('the shard is opened again'))
    const over = AbortSignal.any([session.ended, this.#closed.signal])
    try {
      const taken = await takeOver(this.#parts, session, { shard, releasedEpoch }, over)
      over.throwIfAborted()
      const writer = new ShardLogWriter(this.#parts, shard, taken, (no) => this.#committed(shard, no))
      this.#open.set(shard, writer)
      void writer.lost.then(() => this.#ended(writer, session))
      return writer
    } catch (error) {
      this.#open.delete(shard)
      if (error instanceof ShardHeld) throw error
      if (over.aborted)
        throw new ShardLost(shard, this.#closed.signal.aborted ? 'closed' : 'lease-lost', { cause: error })
      void this.#handBack(shard, session)
      throw error
    }
  }

  async readEvents(actor: string, afterSeq: number): Promise<readonly StoredEvent[]> {
    const { store, calls } = this.#parts
    const writer = this.#open.get(shardOfActor(actor))
    if (writer !== undefined && writer !== 'opening') return writer.eventsOf(actor, afterSeq)
    return calls.once(() => store.readEvents(actor, afterSeq))
  }

  readTail(shard: number, from: TailPosition | null, limit: number): Promise<readonly TailRecord[]> {
    const writer = this.#open.get(shard)
    const recent = writer === undefined || writer === 'opening' ? null : writer.recent
    return readTail(this.#parts, recent, shard, from, limit)
  }

  firstKeptNo(shard: number): Promise<number> {
    return firstKeptNo(this.#parts, shard)
  }

  passed(reader: string, shard: number, position: TailPosition): void {
    this.#parts.positions.passed(reader, shard, position)
  }

  savePosition(reader: string, shard: number, position: TailPosition): Promise<void> {
    return this.#parts.positions.save(reader, shard, position)
  }

  readPosition(reader: string, shard: number): Promise<TailPosition | null> {
    return this.#parts.positions.read(reader, shard)
  }

  onCommitted(listener: CommitListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  probe(): Promise<void> {
    return this.#parts.calls.once(() => this.#parts.store.probe())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const writers = [...this.#open.values()].filter((writer) => writer !== 'opening')
    await Promise.all(writers.map((writer) => writer.close()))
    this.#closed.abort(new Error('the journal is closed'))
  }

  #ended(writer: ShardLogWriter, session: LeaseSession): void {
    this.#open.delete(writer.shard)
    if (!writer.handedBack) void this.#handBack(writer.shard, session)
  }

  /**
   * Repeats until it has worked, until the session ends (which frees the shard as well), or until the shard is opened
   * again.
   */
  async #handBack(shard: number, session: LeaseSession): Promise<void> {
    const { runtime, settings } = this.#parts
    const opened = new AbortController()
    const over = AbortSignal.any([opened.signal, session.ended, this.#closed.signal])
    this.#handingBack.set(shard, opened)
    for (let done = false; !done && !over.aborted; ) {
      done = await handBack(this.#parts, session, shard, over).then(
        () => true,
        () => false,
      )
      if (!done) await runtime.sleep(settings.retryMaxMs, over).catch(() => {})
    }
    if (this.#handingBack.get(shard) === opened) this.#handingBack.delete(shard)
  }

  #committed(shard: number, no: number): void {
    for (const listener of this.#listeners) listener(shard, no)
  }
}
