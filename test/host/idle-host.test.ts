import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/host/runtime.ts'
import { alice, deposit } from './parts/account.ts'
import { codeOf, hostsOfThisFile } from './parts/hosts.ts'
import { MemoryJournal } from './parts/memory-journal.ts'
import { until } from './parts/poll.ts'

const open = hostsOfThisFile()
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a host that nobody asks', () => {
  it('looks at its clock about once a second, with an actor in memory as without', async () => {
    let sleeps = 0
    const real = createRuntime()
    const runtime = {
      ...real,
      sleep: (ms: number, signal?: AbortSignal) => (sleeps++, real.sleep(ms, signal)),
    }
    const { ask } = await open(new MemoryJournal(), { runtime, shards: [0, 1, 2, 3] })
    await ask(alice, deposit(5))
    await pause(500)
    sleeps = 0
    await pause(2_500)
    expect(sleeps).toBeLessThan(8)
  })

  it('gives up in time what is not answered, however long it has rested', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { timeoutMs: 200 })
    await ask(alice, deposit(5))
    await pause(1_300)
    journal.hold()
    const askedMs = performance.now()
    expect(await codeOf(ask(alice, deposit(1)))).toBe('unavailable')
    expect(performance.now() - askedMs).toBeLessThan(600)
    journal.release()
  })

  it('fires a timer in time that was set while it rested', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    await ask(alice, deposit(5))
    await pause(1_300)
    const dueMs = Date.now() + 300
    await ask(alice, { type: 'SetAlarm', id: 'tea', dueMs })
    await until('it rang', () =>
      journal.eventsOf(alice).some((event) => (event as { type: string }).type === 'AlarmRung'),
    )
    expect(Date.now() - dueMs).toBeLessThan(300)
    await until('the row is gone', () => journal.timers.size === 0)
  })
})
