import { describe, expect, it } from 'vitest'
import { accountDefinition, type AccountTypes, alice, bob, deposit, read } from '../parts/account.ts'
import { askById } from '../parts/ask-by-id.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'
import { referencesTo } from '../../../src/domain/references.ts'
import { createRuntime } from '../../../src/host/runtime.ts'

const open = hostsOfThisFile()

describe('commit', () => {
  it('comes before every reply that is built on it, a read included', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    journal.hold()
    let answered = 0
    const asks = [ask(alice, deposit(1)), ask(alice, read)].map((reply) => reply.then(() => answered++))
    const other = ask(bob, read)
    await other
    await until('the batch is under way', () => journal.appends === 1)
    expect(answered).toBe(0)
    journal.release()
    await Promise.all(asks)
    expect(answered).toBe(2)
  })

  it('carries what came while the batch before was under way, of one actor and of many', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal)
    await ask(alice, read)
    journal.hold()
    const first = ask(alice, deposit(1))
    await until('the first is under way', () => journal.appends === 1)
    const rest = Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? alice : bob, deposit(1)))
    await until('both are in memory', () => host.status().residents === 2)
    await new Promise((resolve) => setTimeout(resolve, 50))
    journal.release()
    await Promise.all([first, ...rest])
    expect(journal.batches.map((batch) => batch.length)).toEqual([1, 20])
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 11 })
  })

  it('is split by the limits of a batch', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { limits: { batchEntriesMax: 8 } })
    await ask(alice, read)
    await Promise.all(Array.from({ length: 20 }, () => ask(alice, deposit(1))))
    expect(Math.max(...journal.batches.map((batch) => batch.length))).toBeLessThanOrEqual(8)
    expect(journal.eventsOf(alice)).toHaveLength(20)
  })

  it('takes an entry alone that is larger than a batch may be', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { limits: { batchBytesMax: 1 } })
    await ask(alice, read)
    await Promise.all([ask(alice, deposit(1)), ask(alice, deposit(2)), ask(alice, deposit(3))])
    expect(journal.batches.map((batch) => batch.length)).toEqual([1, 1, 1])
  })

  describe('of what may linger', () => {
    /** The pause of a lingering outcome ends when the test says so. */
    const openLingering = async () => {
      const journal = new MemoryJournal()
      const pauses: PromiseWithResolvers<void>[] = []
      const real = createRuntime()
      const sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
        if (signal !== undefined || (ms !== 10 && ms !== 500)) return real.sleep(ms, signal)
        const pause = Promise.withResolvers<void>()
        pauses.push(pause)
        return pause.promise
      }
      const definitions = [accountDefinition({ isNote: () => true })]
      const { ask, host } = await open(journal, { definitions, runtime: { ...real, sleep } })
      const askWithoutHurry = (to: string, command: object) =>
        askById(host, to, command, { commandId: real.newId(), tenant: null, mayLinger: true })
      return { journal, pauses, host, ask, askWithoutHurry }
    }
    const pay = (id: string) => ({ type: 'Pay', id }) as const
    const lengths = (journal: MemoryJournal) => journal.batches.map((batch) => batch.length)

    it('comes a moment later', async () => {
      const { journal, pauses, ask } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      expect(lengths(journal)).toEqual([1])
      pauses[0]?.resolve()
      await until('the outcome is committed', () => journal.eventsOf(alice).length === 2)
      expect(lengths(journal)).toEqual([1, 1])
    })

    it('comes with the next command, which waits for nothing', async () => {
      const { journal, pauses, ask } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      await ask(bob, deposit(1))
      expect(lengths(journal)).toEqual([1, 2])
      expect(await ask(alice, read)).toMatchObject({ is: 'done' })
    })

    it('comes at once where it is one of many', async () => {
      const { journal, ask } = await openLingering()
      await Promise.all(Array.from({ length: 8 }, (_, index) => ask(alice, pay(`bill-${index}`))))
      await until('all outcomes are committed', () => journal.eventsOf(alice).length === 16)
      expect(Math.max(...lengths(journal).slice(1))).toBeGreaterThanOrEqual(8)
    })

    it('comes a moment after a batch that was under way when it was decided', async () => {
      const { journal, pauses, ask, askWithoutHurry } = await openLingering()
      await ask(alice, read)
      await ask(bob, read)
      journal.hold()
      const first = ask(bob, deposit(1))
      await until('the first batch is under way', () => journal.appends === 1)
      const second = askWithoutHurry(alice, deposit(1))
      await new Promise((resolve) => setTimeout(resolve, 20))
      journal.release()
      await first
      await until('the second lingers', () => pauses.length === 1)
      expect(lengths(journal)).toEqual([1])
      pauses[0]?.resolve()
      await second
      expect(lengths(journal)).toEqual([1, 1])
    })

    it('comes a moment later also where a command says so, which is answered after it', async () => {
      const { journal, pauses, askWithoutHurry } = await openLingering()
      let isAnswered = false
      const asked = askWithoutHurry(alice, deposit(1)).then(() => (isAnswered = true))
      await until('the command lingers', () => pauses.length === 1)
      expect([isAnswered, lengths(journal)]).toEqual([false, []])
      pauses[0]?.resolve()
      await asked
      expect(lengths(journal)).toEqual([1])
    })

    it('comes a moment later also where another node passes that on', async () => {
      const { journal, pauses, host } = await openLingering()
      const asked = host.askHere(referencesTo<AccountTypes>('acc').ref(alice), deposit(1), {
        commandId: 'one',
        tenant: null,
        mayLinger: true,
      })
      await until('the command lingers', () => pauses.length === 1)
      expect(lengths(journal)).toEqual([])
      pauses[0]?.resolve()
      expect(await asked).toEqual({ is: 'done', balance: 1 })
    })

    it('comes with what may linger for a shorter time', async () => {
      const { journal, pauses, ask, askWithoutHurry } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      const asked = askWithoutHurry(bob, deposit(1))
      await until('the command lingers for a shorter time', () => pauses.length === 2)
      pauses[1]?.resolve()
      await asked
      expect(lengths(journal)).toEqual([1, 2])
      pauses[0]?.resolve()
      await ask(bob, deposit(1))
      expect(lengths(journal)).toEqual([1, 2, 1])
    })

    it('comes at once where the shard is handed back', async () => {
      const { journal, pauses, ask, host } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      const closing = host.close(0)
      await until('the outcome is committed', () => journal.eventsOf(alice).length === 2)
      for (const pause of pauses) pause.resolve()
      await closing
      expect(lengths(journal)).toEqual([1, 1])
    })

    it('comes right after the batch that is under way where the answer to a read waits for it', async () => {
      const { journal, pauses, ask, askWithoutHurry } = await openLingering()
      await ask(alice, read)
      await ask(bob, read)
      journal.hold()
      const first = ask(bob, deposit(1))
      await until('the first batch is under way', () => journal.appends === 1)
      const lingering = askWithoutHurry(alice, deposit(1))
      const asked = ask(alice, read)
      await new Promise((resolve) => setTimeout(resolve, 20))
      journal.release()
      await first
      expect(await asked).toEqual({ is: 'done', balance: 1 })
      await lingering
      expect([lengths(journal), pauses.length]).toEqual([[1, 1], 0])
    })

    it('comes at once where its record is to be removed or loaded again', async () => {
      const { journal, pauses, ask, host } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      await expect(host.remove(alice)).rejects.toMatchObject({ code: 'unavailable' })
      await until('the outcome is committed', () => lengths(journal).length === 2)
      pauses[0]?.resolve()
      await ask(alice, pay('bread'))
      await until('the next outcome lingers', () => pauses.length === 2)
      await expect(ask(alice, { type: 'Crash' })).rejects.toThrow()
      expect(await ask(alice, read)).toMatchObject({ is: 'done' })
      expect(lengths(journal)).toEqual([1, 1, 1, 1])
    })

    it('comes at once where the answer to a read waits for it', async () => {
      const { journal, pauses, ask } = await openLingering()
      await ask(alice, pay('rent'))
      await until('the outcome lingers', () => pauses.length === 1)
      await ask(alice, read)
      expect(lengths(journal)).toEqual([1, 1])
    })
  })
})
