import { describe, expect, it } from 'vitest'
import type { TimerRow } from '../../../../src/ports/journal.ts'
import { statement } from '../../../../src/persistence/cassandra/session.ts'
import * as cql from '../../../../src/persistence/cassandra/statements.ts'
import { TimerTables } from '../../../../src/persistence/cassandra/timer-tables.ts'
import type { LogSlot } from '../../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, someActor, timer } from '../../../contract/journal/parts/slots.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const HOUR_MS = 3_600_000
const session = sessionOfThisFile()
const copy = async (tables: TimerTables, shard: number, ...slots: readonly LogSlot[]): Promise<number> => {
  const writes = await tables.copy(shard, slots)
  for (const write of writes) await session().write(write)
  return writes.flat().length
}
const due = (tables: TimerTables, shard: number): Promise<readonly TimerRow[]> =>
  tables.due(shard, 0, 1_000 * HOUR_MS, null, 100)
const hours = async (shard: number): Promise<readonly unknown[]> =>
  (await session().read(statement(cql.readHours, shard, 0, 1_000))).map((row) => row['hour'] as unknown)

describe("the timers' tables", () => {
  it('know the hours in which there are timers, and read them in order', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(1)
    const set = [5, HOUR_MS - 1, HOUR_MS, 30 * HOUR_MS].map((dueMs) => timer(actor, dueMs))
    await copy(tables, 1, batchSlot(1, 0, 1, [entry(actor, 1, { set })]))
    expect(await hours(1)).toEqual([0, 1, 30])
    expect(await due(tables, 1)).toEqual(set)
    expect(await tables.due(1, 0, HOUR_MS + 1, set[0] ?? null, 2)).toEqual(set.slice(1, 3))
    expect(await tables.due(1, 0, HOUR_MS, null, 10)).toEqual(set.slice(0, 2))
  })

  it('never see a timer that was set and cleared in slots of an owner that copies them first', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(2)
    const slots = [
      batchSlot(2, 1, 1, [entry(actor, 1, { set: [timer(actor, 5)] })]),
      batchSlot(2, 2, 1, [entry(actor, 2, { cleared: [timer(actor, 5)] })]),
    ]
    tables.opened(openSlot(2, 0, 1))
    expect(await copy(tables, 2, ...slots)).toBe(0)
    // Tried once, the rows may be there.
    expect(await copy(tables, 2, ...slots)).toBe(1)
    expect(await due(tables, 2)).toEqual([])
  })

  it('keep what a later slot set, however late an older copy or removal arrives', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(3)
    const row = timer(actor, 5)
    const [older, newer] = [
      batchSlot(3, 1, 1, [entry(actor, 1, { cleared: [row] })]),
      batchSlot(3, 2, 1, [entry(actor, 2, { set: [row] })]),
    ]
    await copy(tables, 3, newer)
    await copy(tables, 3, older)
    await tables.done(3, [row], 1)
    expect(await due(tables, 3)).toEqual([row])
    await tables.done(3, [row], 2)
    expect(await due(tables, 3)).toEqual([])
  })

  it('move a timer into an hour that nobody knew', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(4)
    await copy(tables, 4, batchSlot(4, 0, 1, [entry(actor, 1, { set: [timer(actor, 5)] })]))
    await tables.moved(4, timer(actor, 5), timer(actor, 9 * HOUR_MS), 0)
    expect(await due(tables, 4)).toEqual([timer(actor, 9 * HOUR_MS)])
  })

  it('drop whole hours that are over, and learn of them again', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(5)
    const [over, kept] = [timer(actor, 5), timer(actor, HOUR_MS + 5)]
    await copy(tables, 5, batchSlot(5, 0, 1, [entry(actor, 1, { set: [over, kept] })]))
    await tables.dropHours(5, 1, HOUR_MS + 1, 0)
    expect([await hours(5), await due(tables, 5)]).toEqual([[1], [kept]])
    await copy(tables, 5, batchSlot(5, 1, 1, [entry(actor, 2, { set: [over] })]))
    expect(await due(tables, 5)).toEqual([over, kept])
  })

  it('write hundreds of timers of one hour in several lots', async () => {
    const tables = new TimerTables(session())
    const actor = someActor(6)
    const set = Array.from({ length: 450 }, (_, index) => timer(actor, index))
    const writes = await tables.copy(6, [batchSlot(6, 0, 1, [entry(actor, 1, { set })])])
    expect(writes.map((write) => write.length)).toEqual([200, 200, 50])
  })
})
