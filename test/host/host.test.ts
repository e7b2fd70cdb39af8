import { referencesTo } from '../../src/domain/references.ts'
import { describe, expect, it } from 'vitest'
import { NoSuchActor } from '../../src/ports/actors.ts'
import { type AccountTypes, accountDefinition, alice, deposit, read } from './parts/account.ts'
import { codeOf, hostsOfThisFile } from './parts/hosts.ts'
import { MemoryJournal } from './parts/memory-journal.ts'

const open = hostsOfThisFile()

const accounts = referencesTo<AccountTypes>('acc')

describe('asking', () => {
  it('answers what was decided and keeps it across hosts', async () => {
    const journal = new MemoryJournal()
    const first = await open(journal)
    expect(await first.ask(alice, deposit(5))).toEqual({ is: 'done', balance: 5 })
    expect(await first.ask(alice, { type: 'Withdraw', amount: 9 })).toMatchObject({
      refused: 'forbidden',
      reason: 'The balance is 5.',
    })
    await first.host[Symbol.asyncDispose]()
    const second = await open(journal)
    expect(await second.ask(alice, read)).toEqual({ is: 'done', balance: 5 })
  })

  it('has no effect twice under one command id, also after a restart', async () => {
    const journal = new MemoryJournal()
    const first = await open(journal)
    await Promise.all([1, 2, 3].map(() => first.ask(alice, deposit(5), 'same')))
    await first.host[Symbol.asyncDispose]()
    const second = await open(journal)
    expect(await second.ask(alice, deposit(5), 'same')).toEqual({ is: 'done', balance: 5 })
    expect(journal.eventsOf(alice)).toHaveLength(1)
  })

  it.each(['not an id', 'acc_zz00000000', 'unknown_0000000000', ''])(
    'knows that %j is no actor',
    async (id) => {
      const { ask } = await open(new MemoryJournal())
      await expect(ask(id, read)).rejects.toBeInstanceOf(NoSuchActor)
    },
  )

  it('needs kinds of actors with names of their own', async () => {
    const definitions = [accountDefinition(), accountDefinition()]
    const opening = open(new MemoryJournal(), { definitions })
    await expect(opening).rejects.toThrow('two kinds of actors are called acc')
  })

  it('answers not_owner for a shard that is not open', async () => {
    const { ask } = await open(new MemoryJournal())
    expect(await codeOf(ask('acc_01aaaaaaaa', read))).toBe('not_owner')
  })
})

describe('a question', () => {
  it('is answered at once by an actor that has nothing else to do', async () => {
    const { ask } = await open(new MemoryJournal())
    await ask(alice, deposit(5))
    const order: string[] = []
    const answered = ask(alice, read, '').then(() => order.push('answer'))
    setImmediate(() => order.push('next turn'))
    await answered
    expect(order).toEqual(['answer'])
  })

  it('waits for what was asked before it, until that is committed', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    await ask(alice, deposit(5))
    const [, answer] = await Promise.all([ask(alice, deposit(1)), ask(alice, read, '')])
    expect(answer).toEqual({ is: 'done', balance: 6 })
    expect(journal.eventsOf(alice)).toHaveLength(2)
  })

  it('that changes something after all is committed before its answer', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    await ask(alice, deposit(5))
    expect(await ask(alice, deposit(1), '')).toEqual({ is: 'done', balance: 6 })
    expect(journal.eventsOf(alice)).toHaveLength(2)
  })

  it('is not answered without the lease, nor by an actor that crashes on it', async () => {
    const journal = new MemoryJournal()
    const { ask, faults } = await open(journal)
    await ask(alice, deposit(5))
    journal.confirmed = false
    expect(await codeOf(ask(alice, read, ''))).toBe('unavailable')
    journal.confirmed = true
    expect(await codeOf(ask(alice, { type: 'Crash' }, ''))).toBe('ActorFailed')
    expect(faults).toHaveLength(1)
    expect(await ask(alice, read, '')).toEqual({ is: 'done', balance: 5 })
  })

  it('can be answered without a promise, only by an actor in memory that waits for nothing', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal)
    const isAtOnce = (id = alice): boolean => {
      const answer = host.read(accounts.ref(id))
      if (!(answer instanceof Promise)) return true
      answer.catch(() => undefined)
      return false
    }
    expect(isAtOnce()).toBe(false)
    await ask(alice, deposit(5))
    expect(host.read(accounts.ref(alice))).toEqual({ is: 'done', balance: 5 })
    const underWay = ask(alice, deposit(1))
    expect(isAtOnce()).toBe(false)
    await underWay
    journal.confirmed = false
    expect(isAtOnce()).toBe(false)
    journal.confirmed = true
    expect([isAtOnce('acc_01aaaaaaaa'), isAtOnce('not an id')]).toEqual([false, false])
    expect(journal.eventsOf(alice)).toHaveLength(2)
  })
})

describe('a host that is closed', () => {
  it('hands a shard back whose opening ends too late', async () => {
    const journal = new MemoryJournal()
    const { host } = await open(journal, { shards: [] })
    const opening = host.open(0)
    await host[Symbol.asyncDispose]()
    await expect(opening).rejects.toThrow('closed')
    expect(await journal.opened.get(0)?.lost).toBe('closed')
  })

  it('answers what it had taken on', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal)
    const asks = Array.from({ length: 20 }, () => ask(alice, deposit(1)))
    await host[Symbol.asyncDispose]()
    expect((await Promise.all(asks)).at(-1)).toEqual({ is: 'done', balance: 20 })
    expect(await codeOf(ask(alice, deposit(1)))).toBe('not_owner')
  })
})
