import { describe, expect, it } from 'vitest'
import { LogTable, SEGMENT_SLOTS } from '../../../../src/persistence/cassandra/log-table.ts'
import { statement } from '../../../../src/persistence/cassandra/session.ts'
import * as cql from '../../../../src/persistence/cassandra/statements.ts'
import { openSlot } from '../../../contract/journal/parts/slots.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()

describe('the log table', () => {
  it('reads more slots than one answer holds, and across the end of a segment', async () => {
    const log = new LogTable(session())
    const first = SEGMENT_SLOTS - 70
    const slots = Array.from({ length: 75 }, (_, index) => openSlot(1, first + index, 1))
    await Promise.all(slots.map((slot) => log.append(slot)))
    expect(await log.read(1, first, 500)).toEqual(slots)
    expect(await log.read(1, first, 66)).toEqual(slots.slice(0, 66))
  })

  it('deletes a retired segment for good, whatever the clock of the writer says', async () => {
    const log = new LogTable(session())
    await log.append(openSlot(4, 0, 1))
    await log.retire(4, 0)
    expect(await log.append(openSlot(4, 1, 1))).toEqual({ is: 'retired' })
    expect(await log.read(4, 0, 10)).toEqual([])
    expect(await log.firstSegment(4)).toBe(1)
  })

  it('goes by the marks when the saved first segment is behind them, and saves it', async () => {
    const log = new LogTable(session())
    for (const segment of [0, 1]) await session().applyIf([statement(cql.retireSegment, 5, segment)])
    expect(await log.firstSegment(5)).toBe(2)
    const [row] = await session().read(statement(cql.readFirstSegment, 5))
    expect(Number(row?.['first_segment'])).toBe(2)
  })
})
