import { describe, expect, it } from 'vitest'
import { FORGET_TIMER } from '../../../src/host/timers/shard-timers.ts'
import { type AccountDefinition, accountDefinition, alice, deposit, read } from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()

const MINUTE_MS = 60_000

/** An account is over at a balance of ten, and means nothing at a balance of zero. */
const kinds = (changes: Partial<AccountDefinition> = {}) => [
  accountDefinition({ isOver: ({ balance }) => balance === 10, forgetAfterMs: 1_000, ...changes }),
]

const hostOver = (journal: MemoryJournal, changes: Partial<AccountDefinition> = {}) =>
  open(journal, { definitions: kinds(changes) })

const rowsOf = (journal: MemoryJournal) =>
  [...journal.timers.values()].filter(({ timerId }) => timerId === FORGET_TIMER)

describe('a record that is over', () => {
  it('keeps its state and its commands in a last snapshot, and its events go', async () => {
    const journal = new MemoryJournal()
    const { ask } = await hostOver(journal, { forgetAfterMs: 10 })
    await ask(alice, deposit(4), 'one')
    expect(rowsOf(journal)).toEqual([])
    await ask(alice, deposit(6), 'two')
    expect(rowsOf(journal)).toHaveLength(1)
    await until('it is so', () => journal.snapshots.get(alice)?.seq === 2)
    await until('it is so', () => rowsOf(journal).length === 0)
    expect(journal.eventsOf(alice)).toEqual([])
    const later = await hostOver(journal)
    expect(await later.ask(alice, deposit(6), 'two')).toEqual({ is: 'done', balance: 10 })
    expect(await later.ask(alice, deposit(1), 'three')).toEqual({ is: 'done', balance: 11 })
    expect(journal.eventsOf(alice)).toHaveLength(1)
  })

  it('waits until the readers of the log have passed it', async () => {
    const journal = new MemoryJournal()
    journal.passed = false
    const { ask } = await hostOver(journal, { forgetAfterMs: 10 })
    await ask(alice, deposit(10))
    await until('it is so', () => journal.forgets.length > 0)
    expect(journal.eventsOf(alice)).toHaveLength(1)
    expect(rowsOf(journal)).toHaveLength(1)
  })

  it('is left alone when it goes on before its time', async () => {
    const journal = new MemoryJournal()
    const { ask } = await hostOver(journal, { forgetAfterMs: 10 })
    await ask(alice, deposit(10))
    await ask(alice, deposit(1))
    await until('it is so', () => rowsOf(journal).length === 0)
    expect([journal.forgets, journal.eventsOf(alice).length]).toEqual([[], 2])
  })

  it('is folded by the next owner of its shard after a crash', async () => {
    const journal = new MemoryJournal()
    await (await hostOver(journal, { forgetAfterMs: MINUTE_MS })).ask(alice, deposit(10))
    const [row] = rowsOf(journal)
    if (row === undefined) throw new Error('nothing would wake it')
    journal.timers.clear()
    journal.timers.set('earlier', { ...row, dueMs: 1 })
    await hostOver(journal)
    await until('it is so', () => journal.snapshots.get(alice)?.seq === 1)
    expect(journal.eventsOf(alice)).toEqual([])
  })
})

describe('a record that means nothing more', () => {
  it('goes whole, and begins anew', async () => {
    const journal = new MemoryJournal()
    const { ask } = await hostOver(journal, { forgetAfterMs: 10, goneAtMs: () => 0 })
    await ask(alice, deposit(3))
    await until('it is so', () => !journal.events.has(alice))
    expect(journal.snapshots.has(alice)).toBe(false)
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 0 })
    expect(await ask(alice, deposit(2))).toEqual({ is: 'done', balance: 2 })
  })

  it('has one wake-up, which moves while the record is used', async () => {
    const journal = new MemoryJournal()
    let goneAtMs = Date.now() + MINUTE_MS
    const { ask } = await hostOver(journal, { forgetAfterMs: 10, goneAtMs: () => goneAtMs })
    await ask(alice, deposit(1))
    const [first] = rowsOf(journal)
    expect(first?.dueMs).toBeGreaterThanOrEqual(goneAtMs)
    goneAtMs += MINUTE_MS
    await ask(alice, deposit(1))
    expect(rowsOf(journal)).toEqual([first])
    const again = new MemoryJournal()
    const other = await hostOver(again, {
      forgetAfterMs: 10,
      goneAtMs: ({ balance }) => (balance > 1 ? goneAtMs : 0),
    })
    await other.ask(alice, deposit(1))
    await other.ask(alice, deposit(1))
    await until('it is so', () => (rowsOf(again)[0]?.dueMs ?? 0) >= goneAtMs)
    expect(again.forgets).toEqual([])
  })
})
