import { describe, expect, it } from 'vitest'
import { type AccountCommand, alice } from '../parts/account.ts'
import { accountDefinition } from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'
import { testRuntime } from '../parts/test-runtime.ts'

const dayMs = 86_400_000
const alarm = (id: string, dueMs: number): AccountCommand => ({ type: 'SetAlarm', id, dueMs })
const rungIn = (journal: MemoryJournal, actor = alice): readonly string[] =>
  journal.eventsOf(actor).flatMap((event) => {
    const { type, id } = event as { type: string; id: string }
    return type === 'AlarmRung' ? [id] : []
  })
/** How many rows were acknowledged at a time, from now on. */
const acknowledgedIn = (journal: MemoryJournal): readonly number[] => {
  const shard = journal.opened.get(0)
  if (shard === undefined) throw new Error('the shard is not open')
  const acknowledged: number[] = []
  const timersDone = shard.timersDone.bind(shard)
  shard.timersDone = (rows) => {
    acknowledged.push(rows.length)
    return timersDone(rows)
  }
  return acknowledged
}
const open = hostsOfThisFile()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('timers', () => {
  it('fire once, not before they are due, and their rows go', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { ask } = await open(journal, { runtime })
    await ask(alice, alarm('tea', runtime.now() + 5_000))
    await pause(120)
    expect(rungIn(journal)).toEqual([])
    runtime.forward(5_000)
    await until('it rang', () => rungIn(journal).length === 1)
    await until('the row is gone', () => journal.timers.size === 0)
  })

  it('that have fired one after the other have their rows go together', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { ask } = await open(journal, { runtime })
    const acknowledged = acknowledgedIn(journal)
    const fromMs = runtime.now() + 100
    for (const [index, id] of ['a', 'b', 'c'].entries()) await ask(alice, alarm(id, fromMs + 60 * index))
    await until('they are acknowledged', () => acknowledged.length > 0)
    expect(rungIn(journal)).toEqual(['a', 'b', 'c'])
    expect(acknowledged).toEqual([3])
  })

  it('that have fired are acknowledged although the time of day was set back meanwhile', async () => {
    const journal = new MemoryJournal()
    const running = testRuntime()
    let backMs = 0
    const { ask } = await open(journal, { runtime: { ...running, now: () => running.now() - backMs } })
    const acknowledged = acknowledgedIn(journal)
    await ask(alice, alarm('before', running.now() - 1_000))
    await until('it rang', () => rungIn(journal).length === 1)
    await pause(100)
    backMs = 3_600_000
    await ask(alice, alarm('after', running.now() - backMs - 1_000))
    await until('both are acknowledged', () => acknowledged.length > 0)
    expect(acknowledged).toEqual([2])
  })

  it.each([30, 90])('of %i days are in memory only near their time', async (days) => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { ask, host } = await open(journal, { runtime, limits: { idleMs: 100 } })
    await ask(alice, alarm('renew', runtime.now() + days * dayMs))
    runtime.forward(days * dayMs - 1_200_000)
    await until('the actor left', () => host.status().residents === 0)
    expect(host.status().timersLoaded).toBe(0)
    runtime.forward(900_000)
    await until('it is loaded', () => host.status().timersLoaded === 1)
    expect(rungIn(journal)).toEqual([])
    runtime.forward(300_000)
    await until('it rang', () => rungIn(journal).length === 1)
  })

  it('that came due while the service was down fire at the start, each once', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const first = await open(journal, { runtime })
    const actors = Array.from({ length: 300 }, (_, index) => `acc_00aaaa${String(index).padStart(4, '0')}`)
    await Promise.all(actors.map((actor) => first.ask(actor, alarm('late', runtime.now() + 60_000))))
    await first.host[Symbol.asyncDispose]()
    runtime.forward(dayMs)
    await open(journal, { runtime, limits: { timersFiringMax: 16 } })
    await until('all rang', () => actors.every((actor) => rungIn(journal, actor).length > 0))
    await until('the rows are gone', () => journal.timers.size === 0)
    for (const actor of actors) expect(rungIn(journal, actor)).toEqual(['late'])
  })

  it('that were cleared or moved do not fire', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { ask } = await open(journal, { runtime })
    await ask(alice, alarm('a', runtime.now() + 1_000))
    await ask(alice, { type: 'ClearAlarm', id: 'a' })
    await ask(alice, alarm('b', runtime.now() + 1_000))
    await ask(alice, alarm('b', runtime.now() + 60_000))
    await ask(alice, alarm('c', runtime.now() + 1_100))
    runtime.forward(2_000)
    await until('c rang', () => rungIn(journal).includes('c'))
    expect(rungIn(journal)).toEqual(['c'])
  })

  it('stay when the shard is lost before their decision is committed', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const first = await open(journal, { runtime })
    await first.ask(alice, alarm('tea', runtime.now() + 1_000))
    journal.hold()
    runtime.forward(1_000)
    await pause(150)
    journal.opened.get(0)?.lose('fenced')
    journal.release()
    expect(journal.timers.size).toBe(1)
    await open(journal, { runtime })
    await until('it rang', () => rungIn(journal).length === 1)
  })

  it('are paged in, however many are due', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const first = await open(journal, { runtime })
    const due = runtime.now() + 60_000
    const actors = Array.from({ length: 2_500 }, (_, index) => `acc_00aaaa${String(index).padStart(4, '0')}`)
    await Promise.all(actors.map((actor) => first.ask(actor, alarm('tea', due))))
    await first.host[Symbol.asyncDispose]()
    const second = await open(journal, { runtime })
    await until('all are loaded', () => second.host.status().timersLoaded === 2_500)
    const third = await open(journal, { runtime, limits: { timersLoadedMax: 1_000 } })
    await until('some are loaded', () => third.host.status().timersLoaded === 1_000)
    runtime.forward(60_000)
    await until('the rows are gone', () => journal.timers.size === 0, 15_000)
    for (const actor of actors) expect(rungIn(journal, actor)).toEqual(['tea'])
  })

  it('whose decision fails are tried again', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    let broken = true
    const onTimer = (id: string): AccountCommand => (broken ? { type: 'Crash' } : { type: 'Ring', id })
    const { ask, faults } = await open(journal, { runtime, definitions: [accountDefinition({ onTimer })] })
    await ask(alice, alarm('tea', runtime.now() + 1_000))
    runtime.forward(1_000)
    await until('the bug is reported', () => faults.some(({ during }) => during === 'timer'))
    broken = false
    runtime.forward(1_000)
    await until('it rang', () => rungIn(journal).length === 1)
    expect(rungIn(journal)).toEqual(['tea'])
  })
})
