import { describe, expect, it } from 'vitest'
import { restedSince } from '../../src/domain/rest.ts'
import type { Rests } from '../../src/host/rests.ts'
import { type AccountDefinition, accountDefinition, alice } from './parts/account.ts'
import { hostsOfThisFile } from './parts/hosts.ts'
import { MemoryJournal } from './parts/memory-journal.ts'
import { until } from './parts/poll.ts'
import { testRuntime } from './parts/test-runtime.ts'

const open = hostsOfThisFile()
const HOUR_MS = 3_600_000

/** One organisation, whose rest the test decides; the answer comes at once, or after a moment. */
const world = async (answer: 'now' | 'later' | 'always later', changes: Partial<AccountDefinition> = {}) => {
  const journal = new MemoryJournal()
  const runtime = testRuntime()
  const state = { isResting: true, before: [] as { fromMs: number; untilMs: number }[] }
  let isFound = false
  const asks = { count: 0 }
  const rests: Rests = {
    of: () => {
      asks.count++
      // What is found is known for a moment.
      isFound = answer === 'now' || !isFound
      const rest = { isResting: state.isResting, before: [...state.before] }
      return answer === 'always later' || (isFound && answer === 'later') ? Promise.resolve(rest) : rest
    },
  }
  const asked: string[] = []
  const definition = accountDefinition({
    tenantOf: () => 'ten_00aaaaaaaaaa',
    perform: async ({ payment }) => {
      asked.push(payment)
      return { type: 'RecordPayment', id: payment }
    },
    ...changes,
  })
  const opened = await open(journal, { definitions: [definition], rests, runtime })
  const rung = () => journal.eventsOf(alice).some((event) => (event as { type: string }).type === 'AlarmRung')
  /** Time passes until it holds, in steps in which nothing leaves memory. */
  const pass = async (holds: () => boolean): Promise<void> => {
    await expect
      .poll(
        () => {
          runtime.forward(30_000)
          return holds()
        },
        { interval: 5, timeout: 10_000 },
      )
      .toBe(true)
  }
  const passFor = async (ms: number): Promise<void> => {
    const untilMs = runtime.now() + ms
    await pass(() => runtime.now() >= untilMs)
  }
  return { ...opened, journal, runtime, state, asks, asked, rung, pass, passFor }
}

describe.each(['now', 'later', 'always later'] as const)(
  'an organisation that rests, as is known %s',
  (answer) => {
    it('does nothing of what it owes until it rests no longer', async () => {
      const { ask, asked, state, pass, passFor, faults } = await world(answer)
      await ask(alice, { type: 'Pay', id: 'rent' })
      await passFor(HOUR_MS)
      expect(asked).toEqual([])
      state.isResting = false
      await pass(() => asked.length > 0)
      expect(asked).toEqual(['rent'])
      expect(faults).toEqual([])
    })

    it('begins nothing that waited for a slot when the rest began', async () => {
      const slots: (() => void)[] = []
      const { ask, asked, state, pass, passFor } = await world(answer, {
        gate: () => ({
          enter: (begin) => {
            slots.push(begin)
            return null
          },
          leave: () => undefined,
        }),
      })
      state.isResting = false
      await ask(alice, { type: 'Pay', id: 'rent' })
      await expect.poll(() => slots.length).toBe(1)
      state.isResting = true
      slots.shift()?.()
      await passFor(HOUR_MS)
      expect(asked).toEqual([])
      state.isResting = false
      await pass(() => {
        slots.shift()?.()
        return asked.length > 0
      })
    })

    it('has timers that fire when it rests no longer', async () => {
      const { ask, runtime, state, rung, pass, passFor } = await world(answer)
      await ask(alice, { type: 'SetAlarm', id: 'tea', dueMs: runtime.now() + 60_000 })
      await passFor(HOUR_MS)
      expect(rung()).toBe(false)
      state.isResting = false
      await pass(rung)
    })

    it('has as much time left for what it waits for as it had before', async () => {
      const started = { ms: 0 }
      const { ask, runtime, state, rung, pass, passFor } = await world(answer, {
        waitsSince: () => started.ms,
      })
      started.ms = runtime.now()
      await ask(alice, { type: 'SetAlarm', id: 'tea', dueMs: started.ms + HOUR_MS })
      await passFor(2 * HOUR_MS)
      state.isResting = false
      state.before = [{ fromMs: started.ms, untilMs: runtime.now() }]
      await passFor(HOUR_MS / 2)
      expect(rung()).toBe(false)
      await pass(rung)
      expect(runtime.now()).toBeGreaterThanOrEqual(started.ms + 3 * HOUR_MS)
    })
  },
)

it('a timer asks once whether its organisation rests, where the answer has to be waited for each time', async () => {
  const { ask, runtime, state, asks, rung, passFor } = await world('always later')
  state.isResting = false
  await ask(alice, { type: 'SetAlarm', id: 'tea', dueMs: runtime.now() + 60_000 })
  await passFor(120_000)
  await expect.poll(rung).toBe(true)
  expect(asks.count).toBe(1)
})

it('what it rested before something began to wait does not count', () => {
  const before = [
    { fromMs: 0, untilMs: 10 },
    { fromMs: 20, untilMs: 30 },
  ]
  expect(restedSince({ isResting: false, before }, 0)).toBe(20)
  expect(restedSince({ isResting: false, before }, 5)).toBe(15)
  expect(restedSince({ isResting: false, before }, 30)).toBe(0)
})

it('a record goes whole, whatever it owes, and what is asked then finds none', async () => {
  const { host, ask, journal, runtime } = await world('now')
  await ask(alice, { type: 'Pay', id: 'rent' })
  await ask(alice, { type: 'SetAlarm', id: 'tea', dueMs: runtime.now() + HOUR_MS })
  await host.remove(alice)
  await host.remove(alice)
  expect(journal.eventsOf(alice)).toEqual([])
  expect(await ask(alice, { type: 'Read' })).toMatchObject({ balance: 0 })
  journal.isPassed = false
  await ask(alice, { type: 'Deposit', amount: 3 })
  await expect(host.remove(alice)).rejects.toMatchObject({ code: 'unavailable' })
  journal.isPassed = true
  await host.remove(alice)
  await until('it is gone', () => journal.eventsOf(alice).length === 0)
})

it('a record that cannot be read goes too', async () => {
  const { host, journal, ask } = await world('now', {
    events: {
      encode: (event) => JSON.stringify(event),
      decode: () => {
        throw new Error('this is no event')
      },
    },
  })
  await ask(alice, { type: 'Deposit', amount: 3 })
  const later = await open(journal, {
    definitions: [
      accountDefinition({
        events: {
          encode: (event) => JSON.stringify(event),
          decode: () => {
            throw new Error('this is no event')
          },
        },
      }),
    ],
  })
  await host.close(0)
  await later.host.remove(alice)
  expect(journal.eventsOf(alice)).toEqual([])
})
