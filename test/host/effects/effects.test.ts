import { describe, expect, it } from 'vitest'
import type { EffectContext } from '../../../src/host/definition.ts'
import { OWED_TIMER } from '../../../src/host/timers/shard-timers.ts'
import {
  accountDefinition,
  alice,
  type AccountCommand,
  type AccountDefinition,
  type Payment,
} from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'
import { testRuntime } from '../parts/test-runtime.ts'

const pay = (id: string): AccountCommand => ({ type: 'Pay', id })
const open = hostsOfThisFile()

/** A bank that records what it was asked to do and does it when it is told to. */
const bank = () => {
  const asked: string[] = []
  const state = { fails: false, hangs: false, outcome: null as AccountCommand | null }
  const perform = async ({ payment }: Payment, { signal }: EffectContext): Promise<AccountCommand> => {
    asked.push(payment)
    if (state.hangs)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    if (state.fails) throw new Error('the bank is closed')
    return state.outcome ?? { type: 'RecordPayment', id: payment }
  }
  return { asked, state, definitions: [accountDefinition({ perform })] }
}
const paidIn = (journal: MemoryJournal): readonly string[] =>
  journal.eventsOf(alice).flatMap((event) => {
    const { type, id } = event as { type: string; id: string }
    return type === 'PaymentMade' ? [id] : []
  })

describe('what is owed', () => {
  it('starts after the commit, not before', async () => {
    const journal = new MemoryJournal()
    const { asked, definitions } = bank()
    const { ask } = await open(journal, { definitions })
    await ask(alice, { type: 'Read' })
    journal.hold()
    const paying = ask(alice, pay('rent'))
    await until('the batch is under way', () => journal.appends === 1)
    expect(asked).toEqual([])
    journal.release()
    await paying
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    expect(asked).toEqual(['rent'])
    expect([...journal.timers.values()]).toEqual([])
  })

  it('gives its place to the next as soon as it is done, where its outcome is a note', async () => {
    const journal = new MemoryJournal()
    const asked: string[] = []
    const perform = async ({ payment }: Payment): Promise<AccountCommand> => {
      asked.push(payment)
      return { type: 'RecordPayment', id: payment }
    }
    const definitions = [accountDefinition({ perform, isNote: () => true })]
    const { ask } = await open(journal, { definitions, limits: { effectsAtOnceMax: 1 } })
    const bills = Array.from({ length: 5 }, (_, index) => `bill-${index}`)
    const owedMs = performance.now()
    await Promise.all(bills.map((bill) => ask(alice, pay(bill))))
    await until('all were paid', () => asked.length === bills.length)
    expect(performance.now() - owedMs).toBeLessThan(400)
    await until('all payments are recorded', () => paidIn(journal).length === bills.length)
  })

  it('starts again after a crash before the outcome, without anybody asking', async () => {
    const journal = new MemoryJournal()
    const dead = bank()
    dead.state.hangs = true
    const first = await open(journal, { definitions: dead.definitions })
    await first.ask(alice, pay('rent'))
    await until('the bank was asked', () => dead.asked.length === 1)
    journal.opened.get(0)?.lose('fenced')
    const alive = bank()
    await open(journal, { definitions: alive.definitions })
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    expect(alive.asked).toEqual(['rent'])
    await until('the wake-up is gone', () => journal.timers.size === 0)
  })

  it('is tried again with growing pauses; the wake-up moves along', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { asked, state, definitions } = bank()
    state.fails = true
    const { ask, faults } = await open(journal, { definitions, runtime })
    await ask(alice, pay('rent'))
    const rows = () => [...journal.timers.values()]
    for (const [attempt, limitMs] of [
      [1, 1_000],
      [2, 2_000],
      [3, 4_000],
    ] as const) {
      await until(`attempt ${attempt} was reported`, () => faults.length === attempt)
      await until('the row moved', () => (rows()[0]?.dueMs ?? 0) > runtime.now())
      expect(rows()).toMatchObject([{ actor: alice, timerId: OWED_TIMER }])
      expect((rows()[0]?.dueMs ?? 0) - runtime.now()).toBeLessThanOrEqual(limitMs)
      expect(asked).toHaveLength(attempt)
      runtime.forward(limitMs)
    }
    state.fails = false
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    await until('the wake-up is gone', () => journal.timers.size === 0)
  })

  it('is not forgotten when its actor leaves memory between two attempts', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { asked, state, definitions } = bank()
    state.fails = true
    const { ask, faults, host } = await open(journal, { definitions, runtime, limits: { idleMs: 100 } })
    await ask(alice, pay('rent'))
    await until('the first attempt failed', () => faults.length === 1)
    runtime.forward(200)
    await until('the actor left', () => host.status().residents === 0)
    state.fails = false
    runtime.forward(1_000)
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    expect(asked).toHaveLength(2)
  })

  it('keeps its growing pause when its actor leaves memory and a reader brings it back', async () => {
    const runtime = testRuntime()
    const { asked, state, definitions } = bank()
    state.fails = true
    const limits = { idleMs: 100 }
    const { ask, faults, host } = await open(new MemoryJournal(), { definitions, runtime, limits })
    const failed = (times: number) => until(`attempt ${times} failed`, () => faults.length === times)
    const left = () => until('the actor left', () => host.status().residents === 0)
    await ask(alice, pay('rent'))
    for (const attempt of [1, 2, 3, 4, 5]) {
      await failed(attempt)
      runtime.forward(1_000 * 2 ** (attempt - 1))
    }
    // The pauses are at least 16 and 32 seconds long now.
    for (const attempt of [6, 7]) {
      await failed(attempt)
      for (let reads = 0; reads < 3; reads++) {
        runtime.forward(200)
        await left()
        await ask(alice, { type: 'Read' })
        runtime.forward(2_000)
        await left()
      }
      expect(asked).toHaveLength(attempt)
      runtime.forward(64_000)
    }
    await failed(8)
  })

  it('keeps its actor in memory while it is performed', async () => {
    const runtime = testRuntime()
    const { asked, state, definitions } = bank()
    state.hangs = true
    const { ask, host } = await open(new MemoryJournal(), { definitions, runtime, limits: { idleMs: 100 } })
    await ask(alice, pay('rent'))
    await until('the bank was asked', () => asked.length === 1)
    runtime.forward(500)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(host.status().residents).toBe(1)
  })

  it('is performed by so many at once of a kind, the others wait', async () => {
    const { asked, state, definitions } = bank()
    state.hangs = true
    const { ask } = await open(new MemoryJournal(), { definitions, limits: { effectsAtOnceMax: 2 } })
    for (const index of [0, 1, 2, 3]) await ask(`acc_00aaaaaaa${index}`, pay(`p${index}`))
    await until('two are performed', () => asked.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(asked).toHaveLength(2)
  })

  it('comes last where its kind says so: behind what its actor has under way, whether that succeeds or fails', async () => {
    for (const [outcome, isOver] of [
      ['succeeds', true],
      ['fails', false],
    ] as const) {
      const asked: string[] = []
      const { promise: held, resolve, reject } = Promise.withResolvers<undefined>()
      const perform = async ({ payment }: Payment): Promise<AccountCommand> => {
        asked.push(payment)
        if (payment === 'rent') await held
        return { type: 'RecordPayment', id: payment }
      }
      const comesLast = ({ payment }: Payment): boolean => payment === 'farewell'
      const { ask } = await open(new MemoryJournal(), {
        definitions: [accountDefinition({ perform, comesLast })],
      })
      await ask(alice, pay('rent'))
      await ask(alice, pay('farewell'))
      await ask(alice, pay('tax'))
      await until('the tax was paid', () => asked.includes('tax'))
      expect(asked, outcome).toEqual(['rent', 'tax'])
      if (isOver) resolve(undefined)
      else reject(new Error('the bank is closed'))
      await until('the last one is performed', () => asked.includes('farewell'))
    }
  })

  it('is not spun on when the outcome settles nothing', async () => {
    const runtime = testRuntime()
    const { asked, state, definitions } = bank()
    state.outcome = { type: 'Ignore' }
    const { ask, faults } = await open(new MemoryJournal(), { definitions, runtime })
    await ask(alice, pay('rent'))
    await until('it was reported', () => faults.length === 1)
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(asked).toHaveLength(1)
  })

  it('is told when the shard goes', async () => {
    const journal = new MemoryJournal()
    let aborted = false
    const perform = async (_: Payment, { signal }: EffectContext): Promise<AccountCommand> => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      aborted = true
      return { type: 'Ignore' }
    }
    const { ask } = await open(journal, { definitions: [accountDefinition({ perform })] })
    await ask(alice, pay('rent'))
    journal.opened.get(0)?.lose('fenced')
    await until('the effect was told', () => aborted)
    expect(paidIn(journal)).toEqual([])
  })

  it('begins when the gate of its kind lets it, and comes again when the gate says', async () => {
    const journal = new MemoryJournal()
    const runtime = testRuntime()
    const { asked, definitions } = bank()
    const entered: number[] = []
    let full = true
    let left = 0
    const gate = () => ({
      enter: (begin: () => void) => {
        entered.push(runtime.now())
        if (full) return 60_000
        begin()
        return null
      },
      leave: () => void left++,
    })
    const gated = definitions.map((definition) => ({ ...definition, gate }))
    const { ask, faults } = await open(journal, { definitions: gated, runtime })
    await ask(alice, pay('rent'))
    await until('the row moved', () => ([...journal.timers.values()][0]?.dueMs ?? 0) > runtime.now() + 50_000)
    expect(asked).toEqual([])
    full = false
    runtime.forward(60_000)
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    expect(entered).toHaveLength(2)
    await until('the gate is free again', () => left === 1)
    expect(faults).toEqual([])
  })
})

/** An organisation's account: its state says whose it is. */
const accountsOf = (
  tenantOf: (id: string) => string,
  perform: AccountDefinition['perform'],
): AccountDefinition => {
  const definition = accountDefinition({ perform })
  const { decider } = definition
  const evolve: AccountDefinition['decider']['evolve'] = (state, event) => ({
    ...decider.evolve(state, event),
    ...(event.type === 'PaymentOwed' ? { tenant: tenantOf(event.id) } : {}),
  })
  const tenant = (state: object): string | null => ('tenant' in state ? String(state.tenant) : null)
  return { ...definition, tenantOf: tenant, decider: { ...decider, evolve } }
}

describe('whose turn it is', () => {
  it('goes from organisation to organisation, however much one of them owes', async () => {
    const asked: string[] = []
    const first: { done: () => void } = { done: () => undefined }
    const perform = async ({ payment }: Payment): Promise<AccountCommand> => {
      asked.push(payment)
      if (asked.length === 1) await new Promise<void>((resolve) => (first.done = resolve))
      return { type: 'RecordPayment', id: payment }
    }
    const definitions = [accountsOf((id) => id.slice(0, 1), perform)]
    const { ask } = await open(new MemoryJournal(), { definitions, limits: { effectsAtOnceMax: 1 } })
    for (let index = 0; index < 50; index++) await ask(`acc_00aaaaaa${10 + index}`, pay(`a${index}`))
    await ask(alice, pay('b'))
    first.done()
    await until('all were paid', () => asked.length === 51)
    expect(asked.indexOf('b')).toBeLessThan(3)
  })

  it('leaves the others their slots when a recipient hangs, and loses nothing of what waits for it', async () => {
    const journal = new MemoryJournal()
    const sent: string[] = []
    const wallet = { hangs: true, answer: new AbortController() }
    const perform = async ({ payment }: Payment, context: EffectContext): Promise<AccountCommand> => {
      const recipient = payment.startsWith('slow') ? 'slow.example' : 'quick.example'
      await context.forward(recipient)
      sent.push(payment)
      if (recipient === 'slow.example' && wallet.hangs)
        await new Promise((resolve) => wallet.answer.signal.addEventListener('abort', resolve))
      return { type: 'RecordPayment', id: payment }
    }
    const limits = { effectsAtOnceMax: 4, effectsPerRecipientMax: 2 }
    const { ask } = await open(journal, { definitions: [accountDefinition({ perform })], limits })
    for (let index = 0; index < 20; index++) await ask(`acc_00aaaaaa${10 + index}`, pay(`slow${index}`))
    await until('two are sent', () => sent.length === 2)
    await ask(alice, pay('quick'))
    await until('the payment is recorded', () => paidIn(journal).length === 1)
    expect(sent).toHaveLength(3)
    wallet.hangs = false
    wallet.answer.abort()
    await until('everything was sent', () => sent.length === 21)
    await until('the wake-ups are gone', () => journal.timers.size === 0)
  })

  it('passes over what is owed no longer when it comes', async () => {
    const sent: string[] = []
    const wallet = { answer: new AbortController() }
    const perform = async ({ payment }: Payment, context: EffectContext): Promise<AccountCommand> => {
      await context.forward('slow.example')
      sent.push(payment)
      await new Promise((resolve) => wallet.answer.signal.addEventListener('abort', resolve))
      return { type: 'RecordPayment', id: payment }
    }
    const limits = { effectsPerRecipientMax: 1 }
    const { ask, faults } = await open(new MemoryJournal(), {
      definitions: [accountDefinition({ perform })],
      limits,
    })
    await ask(alice, pay('first'))
    await until('the first is sent', () => sent.length === 1)
    await ask('acc_00bbbbbbbb', pay('second'))
    await ask('acc_00bbbbbbbb', { type: 'RecordPayment', id: 'second' })
    await ask('acc_00cccccccc', pay('third'))
    wallet.answer.abort()
    await until('the third is sent', () => sent.includes('third'))
    expect(sent).toEqual(['first', 'third'])
    expect(faults).toEqual([])
  })

  it('comes again when too much waits for the recipient, without a word to the operator', async () => {
    const runtime = testRuntime()
    const journal = new MemoryJournal()
    const wallet = { answer: new AbortController() }
    const perform = async ({ payment }: Payment, context: EffectContext): Promise<AccountCommand> => {
      await context.forward('slow.example')
      await new Promise<void>((resolve) => {
        if (wallet.answer.signal.aborted) resolve()
        wallet.answer.signal.addEventListener('abort', () => resolve())
      })
      return { type: 'RecordPayment', id: payment }
    }
    const { ask, faults } = await open(journal, {
      definitions: [accountDefinition({ perform })],
      limits: { effectsPerRecipientMax: 1, effectsQueuedMax: 2 },
      runtime,
    })
    for (const name of ['b', 'c', 'd', 'e']) await ask(`acc_00${name.repeat(8)}`, pay(name))
    await until('the last comes again', () =>
      [...journal.timers.values()].some(({ dueMs }) => dueMs > runtime.now() + 3_000),
    )
    wallet.answer.abort()
    await until('the first are recorded', () => journal.timers.size <= 2)
    runtime.forward(5_000)
    await until('all are recorded', () => journal.timers.size === 0)
    expect(faults).toEqual([])
  })
})
