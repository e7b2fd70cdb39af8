import { describe, expect, it } from 'vitest'
import { TimerTable } from '../../../src/persistence/sqlite/timer-table.ts'
import { timer } from '../../contract/journal/parts/slots.ts'
import { openJournal } from './parts/temporary-journal.ts'

const open = () => {
  const database = openJournal()
  const rows = database
    .prepare('SELECT shard, due_ms, actor, timer_id, set_no FROM timers ORDER BY shard')
    .raw()
  return { table: new TimerTable(database), rows: () => rows.all() }
}

describe('the timer table', () => {
  it('keeps a row with the slot that set it', () => {
    const { table, rows } = open()
    table.add(3, [timer('a', 50)], 7)
    expect(rows()).toEqual([[3, 50, 'a', 'expiry', 7]])
  })

  it('keeps the later slot of a row that was set twice, in whatever order', () => {
    const { table, rows } = open()
    table.add(3, [timer('a', 50)], 9)
    table.add(3, [timer('a', 50)], 7)
    expect(rows()).toEqual([[3, 50, 'a', 'expiry', 9]])
  })

  it('a late removal does not take away what a later slot set again', () => {
    const { table, rows } = open()
    table.add(3, [timer('a', 50)], 9)
    table.remove(3, [timer('a', 50)], 8)
    expect(rows()).toHaveLength(1)
    table.remove(3, [timer('a', 50)], 9)
    expect(rows()).toEqual([])
  })

  it('removes the very row: another time, timer, actor or shard stays', () => {
    const { table, rows } = open()
    const kept = [timer('a', 51), timer('a', 50, 'reminder'), timer('b', 50)]
    table.add(3, [timer('a', 50), ...kept], 1)
    table.add(4, [timer('a', 50)], 1)
    table.remove(3, [timer('a', 50)], 1)
    expect(rows()).toHaveLength(4)
  })
})
