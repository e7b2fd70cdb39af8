import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FORGET_TIMER } from '../../../src/host/timers/shard-timers.ts'
import { type AccountDefinition, accountDefinition, alice, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryBodies } from '../parts/memory-bodies.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { MemoryVault } from '../parts/memory-vault.ts'
import { until } from '../parts/poll.ts'
import { testRuntime, type TestRuntime } from '../parts/test-runtime.ts'

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

/** While time passes, slowly enough that nothing leaves memory for being idle. */
const inTime = async (runtime: TestRuntime, holds: () => boolean): Promise<void> => {
  await expect
    .poll(
      () => {
        runtime.forward(500)
        return holds()
      },
      { interval: 10, timeout: 10_000 },
    )
    .toBe(true)
}

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
    journal.isPassed = false
    const { ask } = await hostOver(journal, { forgetAfterMs: 10 })
    await ask(alice, deposit(10))
    await until('it is so', () => journal.forgets.length > 0)
    expect(journal.eventsOf(alice)).toHaveLength(1)
    expect(rowsOf(journal)).toHaveLength(1)
  })

  it('asks ever more seldom while the readers stand still, and goes when they go on', async () => {
    const journal = new MemoryJournal()
    journal.isPassed = false
    const runtime = testRuntime()
    const { ask } = await open(journal, { definitions: kinds(), runtime })
    await ask(alice, deposit(10))
    for (let passedMs = 0; passedMs < 120 * MINUTE_MS; passedMs += 20_000) {
      runtime.forward(20_000)
      await setTimeout(3)
    }
    expect(journal.forgets.length).toBeGreaterThan(5)
    expect(journal.forgets.length).toBeLessThan(20)
    journal.isPassed = true
    for (let passedMs = 0; journal.forgets.length > 0 && passedMs < 31 * MINUTE_MS; passedMs += 20_000) {
      runtime.forward(20_000)
      await setTimeout(3)
    }
    expect(journal.snapshots.get(alice)?.seq).toBe(1)
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

describe('a record that owes something beside effects', () => {
  it('waits until its bodies are deleted', async () => {
    const journal = new MemoryJournal()
    const bodies = new MemoryBodies()
    const runtime = testRuntime()
    const definitions = kinds({ bodiesKept: ({ balance }) => (balance === 10 ? [] : null) })
    const { ask } = await open(journal, { definitions, bodies, runtime })
    bodies.isAway = true
    await ask(alice, deposit(10))
    runtime.forward(5_000)
    await until('the deletion was tried again', () => bodies.calls.length > 1)
    expect(journal.forgets).toEqual([])
    bodies.isAway = false
    await inTime(runtime, () => journal.snapshots.get(alice)?.seq === 1)
    expect(rowsOf(journal).length).toBeLessThanOrEqual(1)
  })

  it('waits until its key is deleted, and is folded once more after its erasure', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const runtime = testRuntime()
    const definitions = kinds({
      keyParent: () => ({ tenant: 'ten_1', connection: null }),
      // It may be read again when its balance is gone.
      isOver: ({ balance, erased }) => erased || balance === 10,
    })
    const { ask } = await open(journal, { definitions, vault, runtime })
    const folded = (seq: number) =>
      inTime(runtime, () => journal.snapshots.get(alice)?.seq === seq && journal.eventsOf(alice).length === 0)
    await ask(alice, deposit(10))
    await folded(1)
    vault.isAway = true
    expect(await codeOf(ask(alice, { type: 'Erase' }))).toBe('unavailable')
    runtime.forward(5_000)
    const { length } = vault.calls
    await until('the deletion was tried again', () => vault.calls.length > length)
    expect(journal.snapshots.get(alice)?.seq).toBe(1)
    vault.isAway = false
    await folded(2)
    expect(vault.keys.has(alice)).toBe(false)
  })

  it('is folded once more when it was erased while it was being folded', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const runtime = testRuntime()
    const definitions = kinds({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })
    const { ask } = await open(journal, { definitions, vault, runtime })
    const shard = journal.opened.get(0)
    if (shard === undefined) throw new Error('the shard is not open')
    const forget = shard.forget.bind(shard)
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    shard.forget = async (actor, last) => {
      begun.resolve()
      await held.promise
      return forget(actor, last)
    }
    await ask(alice, deposit(10))
    runtime.forward(5_000)
    await begun.promise
    await ask(alice, { type: 'Erase' })
    held.resolve()
    await inTime(runtime, () => journal.snapshots.get(alice)?.seq === 2 && rowsOf(journal).length === 0)
    expect(journal.eventsOf(alice)).toEqual([])
  })
})

describe('a record that lives on', () => {
  const living = (changes: Partial<AccountDefinition> = {}) =>
    kinds({ isOver: () => false, foldsWhileAlive: true, snapshotEvery: 3, ...changes })

  it('has the events before each snapshot folded, and keeps its state and its commands', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { definitions: living() })
    for (let count = 1; count <= 8; count++) await ask(alice, deposit(1), `command-${count}`)
    await until('it is folded', () => journal.eventsOf(alice).length <= 2)
    expect(journal.snapshots.get(alice)?.seq).toBe(6)
    expect(rowsOf(journal)).toEqual([])
    const later = await open(journal, { definitions: living() })
    expect(await later.ask(alice, deposit(1), 'command-1')).toEqual({ is: 'done', balance: 8 })
    expect(await later.ask(alice, deposit(1), 'command-9')).toEqual({ is: 'done', balance: 9 })
  })

  it('keeps its events while the readers of the log stand still, and all of them go with a later snapshot', async () => {
    const journal = new MemoryJournal()
    journal.isPassed = false
    const { ask } = await open(journal, { definitions: living() })
    for (let count = 0; count < 4; count++) await ask(alice, deposit(1))
    await until('it was tried', () => journal.forgets.length === 1)
    expect([journal.snapshots.get(alice)?.seq, journal.eventsOf(alice).length]).toEqual([3, 4])
    journal.isPassed = true
    for (let count = 0; count < 2; count++) await ask(alice, deposit(1))
    await until('it is folded', () => journal.eventsOf(alice).length === 0)
    expect(journal.snapshots.get(alice)?.seq).toBe(6)
  })

  it('is not folded while its bodies have to be deleted', async () => {
    const journal = new MemoryJournal()
    const bodies = new MemoryBodies()
    bodies.isAway = true
    const definitions = living({ bodiesKept: ({ balance }) => (balance >= 2 ? [] : null) })
    const { ask } = await open(journal, { definitions, bodies })
    for (let count = 0; count < 4; count++) await ask(alice, deposit(1))
    await until('there is a snapshot', () => journal.snapshots.get(alice)?.seq === 3)
    expect([journal.forgets, journal.eventsOf(alice).length]).toEqual([[], 4])
  })

  it('is not read again while its events go', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { host, ask } = await open(journal, { definitions: living(), runtime })
    const shard = journal.opened.get(0)
    if (shard === undefined) throw new Error('the shard is not open')
    const held = Promise.withResolvers<boolean>()
    shard.fold = () => held.promise
    for (let count = 0; count < 3; count++) await ask(alice, deposit(1))
    runtime.forward(60 * MINUTE_MS)
    await setTimeout(20)
    expect(host.status().residents).toBe(1)
    held.resolve(true)
    await until('it has left memory', () => {
      runtime.forward(MINUTE_MS)
      return host.status().residents === 0
    })
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

  it('is not read again when it has gone', async () => {
    const journal = new MemoryJournal()
    const { host, ask } = await hostOver(journal, { forgetAfterMs: 10, goneAtMs: () => 0 })
    const shard = journal.opened.get(0)
    if (shard === undefined) throw new Error('the shard is not open')
    await ask(alice, deposit(3))
    let reads = 0
    const load = shard.load.bind(shard)
    shard.load = (actor) => {
      reads++
      return load(actor)
    }
    await until('it has left memory', () => host.status().residents === 0)
    expect([journal.events.has(alice), reads]).toEqual([false, 0])
  })

  it('is folded at once where it is over, and goes whole at its time', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const goneAtMs = runtime.now() + MINUTE_MS
    const { ask } = await open(journal, { definitions: kinds({ goneAtMs: () => goneAtMs }), runtime })
    await ask(alice, deposit(10))
    await inTime(runtime, () => journal.eventsOf(alice).length === 0)
    expect(runtime.now()).toBeLessThan(goneAtMs)
    expect(journal.snapshots.get(alice)?.seq).toBe(1)
    await until('its wake-up has moved', () => (rowsOf(journal)[0]?.dueMs ?? 0) >= goneAtMs)
    await inTime(runtime, () => !journal.snapshots.has(alice))
    expect(runtime.now()).toBeGreaterThanOrEqual(goneAtMs)
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
