import { types } from 'cassandra-driver'
import type { AppendOutcome, LogSlot } from '../store-port.ts'
import { decodeEntries, encodeEntries } from './entries-codec.ts'
import { type CassandraSession, numberOf, numberOrNull, statement } from './session.ts'
import * as cql from './statements.ts'
import { timeBeyondClocks } from './write-times.ts'

/** A partition of the log. Part of what is stored, so never to be changed. */
export const SEGMENT_SLOTS = 1024
const segmentOf = (no: number): number => Math.floor(no / SEGMENT_SLOTS)

/** Bounds one answer, because a batch may be half a megabyte. */
const SLOTS_PER_READ_MAX = 64

/** The log itself: slots taken by conditional insert, with a partition for each segment. */
export class LogTable {
  readonly #session: CassandraSession

  constructor(session: CassandraSession) {
    this.#session = session
  }

  async append({ shard, no, epoch, batchId, record }: LogSlot): Promise<AppendOutcome> {
    const segment = segmentOf(no)
    // Cassandra would write a null as a deletion.
    const node = record.kind === 'open' ? record.node : types.unset
    const entries = record.kind === 'open' ? types.unset : encodeEntries(record.entries)
    const result = await this.#session.applyIf([
      statement(cql.insertSlot, shard, segment, no, epoch, batchId, node, entries),
      statement(cql.requireNotRetired, shard, segment),
    ])
    return result.wasApplied() ? { is: 'written' } : refusal(result.rows, no)
  }

  async read(shard: number, fromNo: number, limit: number): Promise<readonly LogSlot[]> {
    const slots: LogSlot[] = []
    while (slots.length < limit) {
      const nextNo = fromNo + slots.length
      const ask = Math.min(limit - slots.length, SLOTS_PER_READ_MAX)
      const rows = await this.#session.readSerial(
        statement(cql.readSlots, shard, segmentOf(nextNo), nextNo, ask),
      )
      for (const row of rows) {
        if (numberOf(row['no']) !== fromNo + slots.length) return slots
        slots.push(slotOf(shard, row))
      }
      const segmentEnds = (fromNo + slots.length) % SEGMENT_SLOTS === 0
      if (rows.length === 0 || (rows.length < ask && !segmentEnds)) return slots
    }
    return slots
  }

  async retire(shard: number, segment: number): Promise<void> {
    await this.#session.applyIf([statement(cql.retireSegment, shard, segment)])
    // No slot of this segment can be inserted any more, so the deletion may be dated later than every insert, whatever
    // our clock says.
    await this.#session.write([statement(cql.deleteSlots, timeBeyondClocks(Date.now()), shard, segment)])
    await this.#saveFirst(shard, segment + 1)
  }

  /**
   * The saved segment is a hint: a crash between a mark and its hint leaves the hint behind, and the marks are the
   * truth.
   */
  async firstSegment(shard: number): Promise<number> {
    const [row] = await this.#session.read(statement(cql.readFirstSegment, shard))
    const hint = numberOrNull(row?.['first_segment']) ?? 0
    let first = hint
    while (await this.#isRetired(shard, first)) first++
    if (first !== hint) await this.#saveFirst(shard, first)
    return first
  }

  async #isRetired(shard: number, segment: number): Promise<boolean> {
    const [row] = await this.#session.readSerial(statement(cql.readRetired, shard, segment))
    return row?.['retired'] === true
  }

  /** The number of the segment is the write time, so the greatest stays. */
  async #saveFirst(shard: number, segment: number): Promise<void> {
    await this.#session.write([statement(cql.writeFirstSegment, segment, segment, shard)])
  }
}

const refusal = (rows: readonly types.Row[], no: number): AppendOutcome => {
  if (rows.some((row) => row['retired'] === true)) return { is: 'retired' }
  const occupant = rows.find((row) => numberOrNull(row['no']) === no && row['batch_id'] !== null)
  if (occupant === undefined) throw new Error(`slot ${no} was refused without an occupant`)
  return { is: 'occupied', epoch: numberOf(occupant['epoch']), batchId: occupant['batch_id'] as string }
}

const slotOf = (shard: number, row: types.Row): LogSlot => {
  const node = row['node'] as string | null
  return {
    shard,
    no: numberOf(row['no']),
    epoch: numberOf(row['epoch']),
    batchId: row['batch_id'] as string,
    record:
      node === null
        ? { kind: 'batch', entries: decodeEntries(row['events'] as Buffer) }
        : { kind: 'open', node },
  }
}
