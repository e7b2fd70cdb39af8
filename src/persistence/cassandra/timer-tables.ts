import type { TimerRow } from '../../ports/journal.ts'
import { entriesOf, type LogSlot } from '../store-port.ts'
import { timerKey } from '../shard-log-tail.ts'
import { KnownHours } from './known-hours.ts'
import { FirstCopies } from './first-copies.ts'
import { numberOf, statement, type CassandraSession, type Statement } from './session.ts'
import * as cql from './statements.ts'
import { TimesBetweenSlots, timeAfterSlot, timeOfSlot } from './write-times.ts'

const HOUR_MS = 3_600_000
const ROWS_PER_WRITE_MAX = 200

/** Pending timers by shard and hour, and the list of hours that have any. */
export class TimerTables {
  readonly #session: CassandraSession
  readonly #times = new TimesBetweenSlots()
  readonly #known = new KnownHours()
  readonly #firstCopies = new FirstCopies()

  constructor(session: CassandraSession) {
    this.#session = session
  }

  /** Called when this process tries to open the shard with this record. */
  opened(slot: LogSlot): void {
    this.#firstCopies.opened(slot)
  }

  /** A row that these slots both set and clear is not written at all if no earlier attempt can have written it. */
  async copy(shard: number, slots: readonly LogSlot[]): Promise<readonly (readonly Statement[])[]> {
    const changes = netChanges(slots, (slot) => this.#firstCopies.isFirst(slot))
    this.#firstCopies.tried(slots)
    await this.#addHours(shard, changes)
    return partitions(
      shard,
      changes.map(({ row, no, set }) => ({ row, time: timeOfSlot(no), set })),
    )
  }

  async due(
    shard: number,
    fromMs: number,
    untilMs: number,
    after: TimerRow | null,
    limit: number,
  ): Promise<readonly TimerRow[]> {
    const start = after ?? { dueMs: fromMs, actor: '', timerId: '' }
    const hours = await this.#hours(shard, Math.floor(start.dueMs / HOUR_MS), Math.floor(untilMs / HOUR_MS))
    const found: TimerRow[] = []
    for (const hour of hours) {
      const rows = await this.#session.read(
        statement(
          cql.readTimers,
          shard,
          hour,
          start.dueMs,
          start.actor,
          start.timerId,
          Math.ceil(untilMs),
          limit - found.length,
        ),
      )
      for (const row of rows) {
        found.push({
          actor: row['actor'] as string,
          timerId: row['timer_id'] as string,
          dueMs: numberOf(row['due_ms']),
        })
      }
      if (found.length >= limit) break
    }
    return found
  }

  async done(shard: number, rows: readonly TimerRow[], atNo: number): Promise<void> {
    const time = this.#times.next(shard, atNo)
    const changes = rows.map((row) => ({ row, time, set: false }))
    for (const batch of partitions(shard, changes)) await this.#session.write(batch)
  }

  /** Set before it is removed: between the two writes the timer exists twice rather than not at all. */
  async moved(shard: number, from: TimerRow, to: TimerRow, atNo: number): Promise<void> {
    const [removed, added] = [this.#times.next(shard, atNo), this.#times.next(shard, atNo)]
    await this.#session.write([statement(cql.insertHour, shard, hourOf(to), added)])
    await this.#session.write([changeRow(shard, { row: to, time: added, set: true })])
    await this.#session.write([changeRow(shard, { row: from, time: removed, set: false })])
  }

  /** Deletes whole hours in which every timer is done, except for timers that slots after `copiedNo` set there. */
  async dropHours(shard: number, epoch: number, beforeMs: number, copiedNo: number): Promise<void> {
    const last = Math.floor(beforeMs / HOUR_MS) - 1
    if (copiedNo < 0 || last < 0 || !this.#known.mayDrop(shard, last)) return
    const time = timeAfterSlot(copiedNo)
    for (const hour of await this.#hours(shard, 0, last)) {
      this.#known.forget(shard, epoch, hour)
      await this.#session.write([statement(cql.deleteTimersOfHour, time, shard, hour)])
      await this.#session.write([statement(cql.deleteHour, time, shard, hour)])
    }
    this.#known.dropped(shard, last)
  }

  async #hours(shard: number, from: number, to: number): Promise<readonly number[]> {
    const rows = await this.#session.read(statement(cql.readHours, shard, clampHour(from), clampHour(to)))
    return rows.map((row) => numberOf(row['hour']))
  }

  /** Lists the hours before their rows are written: a row in an hour that is not listed would never be found. */
  async #addHours(shard: number, changes: readonly Change[]): Promise<void> {
    const missing = new Map<number, Change>()
    for (const change of changes) {
      const hour = hourOf(change.row)
      if (change.set && !this.#known.has(shard, change.epoch, hour)) missing.set(hour, change)
    }
    const rows = [...missing].map(([hour, { no }]) => statement(cql.insertHour, shard, hour, timeOfSlot(no)))
    await this.#session.write(rows)
    for (const [hour, { epoch }] of missing) this.#known.add(shard, epoch, hour)
  }
}

type Change = {
  readonly row: TimerRow
  readonly no: number
  readonly epoch: number
  readonly set: boolean
  readonly fresh: boolean
}

const netChanges = (slots: readonly LogSlot[], isFirst: (slot: LogSlot) => boolean): readonly Change[] => {
  const changes = new Map<string, Change>()
  for (const slot of slots) {
    const { no, epoch } = slot
    for (const { timersSet, timersCleared } of entriesOf(slot)) {
      for (const row of timersCleared) {
        if (changes.get(timerKey(row))?.fresh === true) changes.delete(timerKey(row))
        else changes.set(timerKey(row), { row, no, epoch, set: false, fresh: false })
      }
      for (const row of timersSet)
        changes.set(timerKey(row), { row, no, epoch, set: true, fresh: isFirst(slot) })
    }
  }
  return [...changes.values()]
}

type TimedChange = Pick<Change, 'row' | 'set'> & { readonly time: number }

const changeRow = (shard: number, { row, time, set }: TimedChange): Statement =>
  set
    ? statement(cql.insertTimer, shard, hourOf(row), row.dueMs, row.actor, row.timerId, time)
    : statement(cql.deleteTimer, time, shard, hourOf(row), row.dueMs, row.actor, row.timerId)

const partitions = (shard: number, changes: readonly TimedChange[]): readonly (readonly Statement[])[] => {
  const batches: Statement[][] = []
  const latest = new Map<number, Statement[]>()
  for (const change of changes) {
    const hour = hourOf(change.row)
    let batch = latest.get(hour)
    if (batch === undefined || batch.length >= ROWS_PER_WRITE_MAX) {
      batch = []
      latest.set(hour, batch)
      batches.push(batch)
    }
    batch.push(changeRow(shard, change))
  }
  return batches
}

const hourOf = ({ dueMs }: TimerRow): number => Math.floor(dueMs / HOUR_MS)
const clampHour = (hour: number): number => Math.max(0, Math.min(hour, 2 ** 31 - 1))
