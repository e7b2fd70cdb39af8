import pLimit from 'p-limit'
import type { TailPosition } from '../../ports/journal.ts'
import type {
  AppendOutcome,
  Checkpoint,
  Forgettable,
  JournalStore,
  LogSlot,
  StoredSize,
} from '../store-port.ts'
import { ActorTables } from './actor-tables.ts'
import { connectCassandra } from './connect.ts'
import { LogTable, SEGMENT_SLOTS } from './log-table.ts'
import { requireSchema } from './migrate.ts'
import { CassandraSession, numberOf, type Statement, statement } from './session.ts'
import type { CassandraSettings } from '../engine-settings.ts'
import { sizesIn } from './sizes.ts'
import * as cql from './statements.ts'
import { TimerTables } from './timer-tables.ts'
import { timeOfCheckpoint, timeOfPosition } from './write-times.ts'

/** Writes of copies under way for all shards together: enough to keep Cassandra busy, few enough to leave room for the log. */
const COPIES_IN_FLIGHT_MAX = 64

/** The distributed engine. */
export class CassandraJournalStore implements JournalStore {
  readonly copies = 'deferred'
  readonly segmentSlots = SEGMENT_SLOTS
  readonly session: CassandraSession
  readonly #log: LogTable
  readonly #actors: ActorTables
  readonly #timers: TimerTables
  readonly #copyLimit = pLimit(COPIES_IN_FLIGHT_MAX)

  private constructor(session: CassandraSession) {
    this.session = session
    this.#log = new LogTable(session)
    this.#actors = new ActorTables(session)
    this.#timers = new TimerTables(session)
  }

  /** Rejects with a sentence for the operator when Cassandra is away or its schema is not this release's. */
  static async open(settings: CassandraSettings): Promise<CassandraJournalStore> {
    const client = await connectCassandra(settings)
    const session = new CassandraSession(client, settings)
    try {
      await requireSchema(session, settings.keyspace)
      return new CassandraJournalStore(session)
    } catch (error) {
      await session.close()
      throw error
    }
  }

  append(slot: LogSlot): Promise<AppendOutcome> {
    if (slot.record.kind === 'open') this.#timers.opened(slot)
    return this.#log.append(slot)
  }

  async copy(shard: number, slots: readonly LogSlot[]): Promise<void> {
    const timers = await this.#timers.copy(shard, slots)
    const writes = [...this.#actors.copiesOf(slots), ...timers]
    await Promise.all(writes.map((write) => this.#copyLimit(() => this.session.write(write))))
  }

  async forget(shard: number, actors: readonly Forgettable[]): Promise<void> {
    await Promise.all(actors.map((each) => this.#copyLimit(() => this.#actors.forget(shard, each))))
  }

  async readCheckpoint(shard: number): Promise<Checkpoint | null> {
    const [row] = await this.session.read(statement(cql.readCheckpoint, shard))
    if (row === undefined) return null
    return {
      copiedNo: numberOf(row['copied_no']),
      publishedNo: numberOf(row['published_no']),
      projectedNo: numberOf(row['projected_no']),
      timerAckMs: numberOf(row['timer_ack_ms']),
    }
  }

  /** An ordinary write, because its write times order it: each field keeps the greatest value of the latest epoch. */
  async writeCheckpoint(shard: number, epoch: number, checkpoint: Checkpoint): Promise<void> {
    const { copiedNo, publishedNo, projectedNo, timerAckMs } = checkpoint
    const field = (query: string, value: number): Statement =>
      statement(query, timeOfCheckpoint(epoch, value), value, shard)
    await this.session.write([
      field(cql.writeCopiedNo, copiedNo),
      field(cql.writePublishedNo, publishedNo),
      field(cql.writeProjectedNo, projectedNo),
      field(cql.writeTimerAck, timerAckMs),
    ])
    await this.#timers.dropHours(shard, epoch, timerAckMs, copiedNo)
  }

  readonly readLog: JournalStore['readLog'] = (...args) => this.#log.read(...args)
  readonly retireSegment: JournalStore['retireSegment'] = (...args) => this.#log.retire(...args)
  readonly firstSegment: JournalStore['firstSegment'] = (shard) => this.#log.firstSegment(shard)
  readonly readActor: JournalStore['readActor'] = (actor) => this.#actors.readActor(actor)
  readonly readEvents: JournalStore['readEvents'] = (...args) => this.#actors.readEvents(...args)
  readonly readSnapshot: JournalStore['readSnapshot'] = (actor) => this.#actors.readSnapshot(actor)
  readonly writeSnapshot: JournalStore['writeSnapshot'] = (...args) => this.#actors.writeSnapshot(...args)
  readonly listActors: JournalStore['listActors'] = (...args) => this.#actors.list(...args)
  readonly timersDue: JournalStore['timersDue'] = (...args) => this.#timers.due(...args)
  readonly timersDone: JournalStore['timersDone'] = (...args) => this.#timers.done(...args)
  readonly timerMoved: JournalStore['timerMoved'] = (...args) => this.#timers.moved(...args)

  /** The position is its own write time, so it never moves back. */
  async savePosition(reader: string, shard: number, { no, index }: TailPosition): Promise<void> {
    await this.session.write([
      statement(cql.writePosition, timeOfPosition(no, index), no, index, reader, shard),
    ])
  }

  async readPosition(reader: string, shard: number): Promise<TailPosition | null> {
    const [row] = await this.session.read(statement(cql.readPosition, reader, shard))
    return row === undefined ? null : { no: numberOf(row['no']), index: numberOf(row['entry']) }
  }

  sizes(): Promise<readonly StoredSize[]> {
    return sizesIn(this.session)
  }

  /** Reads with the consistency of every other read, so that it fails when the journal would. */
  async probe(): Promise<void> {
    await this.session.read(statement(cql.readFirstSegment, 0))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.session.close()
  }
}
