import { describe, expect, it } from 'vitest'
import { NoSuchActor } from '../../src/actors/ports.ts'
import { type AccountCommand, accountDefinition } from './parts/account.ts'
import { MemoryJournal } from './parts/memory-journal.ts'
import { codeOf, hostsOfThisFile } from './parts/hosts.ts'
import type { TestHost } from './parts/open-host.ts'
import { until } from './parts/poll.ts'

const alice = 'acc_00aaaaaaaa'
const bob = 'acc_00bbbbbbbb'
const deposit = (amount: number): AccountCommand => ({ type: 'Deposit', amount })
const read: AccountCommand = { type: 'Read' }

const open = hostsOfThisFile()

describe('asking', () => {
  it('answers what was decided and keeps it across hosts', async () => {
    const journal = new MemoryJournal()
    const first = await open(journal)
    expect(await first.ask(alice, deposit(5))).toEqual({ is: 'done', balance: 5 })
    expect(await first.ask(alice, { type: 'Withdraw', amount: 9 })).toEqual({ is: 'refused', balance: 5 })
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

  it('answers not_owner for a shard that is not open', async () => {
    const { ask } = await open(new MemoryJournal())
    expect(await codeOf(ask('acc_01aaaaaaaa', read))).toBe('not_owner')
  })
})

describe('commit', () => {
  it('comes before every reply that is built on it, a read included', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    journal.hold()
    let answered = 0
    const asks = [ask(alice, deposit(1)), ask(alice, read)].map((reply) => reply.then(() => answered++))
    const other = ask(bob, read)
    await other
    await until('the batch is under way', () => journal.opened.get(0) !== undefined)
    expect(answered).toBe(0)
    journal.release()
    await Promise.all(asks)
    expect(answered).toBe(2)
  })

  it('carries what came while the batch before was under way, of one actor and of many', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    await ask(alice, read)
    journal.hold()
    const first = ask(alice, deposit(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const rest = Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? alice : bob, deposit(1)))
    await new Promise((resolve) => setTimeout(resolve, 20))
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
})

describe('a lost shard', () => {
  it('answers everything in flight as retryable and forgets what was not committed', async () => {
    const journal = new MemoryJournal()
    const { ask, host, ended } = await open(journal)
    await ask(alice, deposit(1))
    journal.hold()
    const lost = [ask(alice, deposit(1)), ask(alice, read), ask(bob, deposit(1))].map(codeOf)
    await new Promise((resolve) => setTimeout(resolve, 20))
    journal.opened.get(0)?.lose('fenced')
    expect(await Promise.all(lost)).toEqual(['not_owner', 'not_owner', 'not_owner'])
    journal.release()
    expect(ended).toEqual([0])
    expect(host.status()).toMatchObject({ shards: 0, residents: 0, waiting: 0 })
    expect(await codeOf(ask(alice, read))).toBe('not_owner')
    await host.open(0)
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 1 })
  })

  it('does not answer while the lease is not confirmed, also what was decided before', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    journal.hold()
    const late = codeOf(ask(alice, deposit(1)))
    await new Promise((resolve) => setTimeout(resolve, 20))
    journal.confirmed = false
    journal.release()
    expect(await late).toBe('unavailable')
    expect(await codeOf(ask(alice, read))).toBe('unavailable')
    journal.confirmed = true
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 1 })
  })
})

describe('a journal that does not answer', () => {
  it('lets nothing new in while it is stalled', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    journal.stalled = true
    expect(await codeOf(ask(alice, deposit(1)))).toBe('unavailable')
    journal.stalled = false
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 1 })
  })

  it('ends in unavailable at the deadline; the same command id finds the outcome', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { timeoutMs: 100 })
    journal.hold()
    expect(await codeOf(ask(alice, deposit(1), 'once'))).toBe('unavailable')
    expect(host.status().waiting).toBe(0)
    journal.release()
    expect(await ask(alice, deposit(1), 'once')).toEqual({ is: 'done', balance: 1 })
  })

  it('cannot load an actor: retryable, and the actor is loaded when it is back', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal)
    journal.failLoads = true
    expect(await codeOf(ask(alice, deposit(1)))).toBe('unavailable')
    expect(host.status().residents).toBe(0)
    journal.failLoads = false
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 1 })
  })
})

describe('admission', () => {
  const flood = async (test: TestHost, actors: readonly string[], tenant: string | null) =>
    Promise.all(actors.map((actor) => codeOf(test.ask(actor, deposit(1), undefined, tenant))))

  it('is bounded for an actor', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal, { limits: { actorQueueMax: 4 }, timeoutMs: 100 })
    journal.hold()
    const codes = await flood(
      test,
      Array.from({ length: 6 }, () => alice),
      null,
    )
    expect(codes).toEqual([...Array.from({ length: 4 }, () => 'unavailable'), 'overloaded', 'overloaded'])
    journal.release()
    expect(await test.ask(alice, read)).toMatchObject({ is: 'done' })
  })

  it('is bounded for a shard, with a share for each tenant', async () => {
    const journal = new MemoryJournal()
    const limits = { shardQueueMax: 8, tenantSharePercent: 50 }
    const test = await open(journal, { limits, timeoutMs: 100 })
    journal.hold()
    const actors = Array.from({ length: 5 }, (_, index) => `acc_00aaaaaaa${index}`)
    const [ofOne, ofOther] = await Promise.all([flood(test, actors, 'one'), flood(test, actors, 'other')])
    for (const codes of [ofOne, ofOther])
      expect(codes.filter((code) => code === 'overloaded')).toHaveLength(1)
    expect(test.host.status().waiting).toBe(0)
  })
})

describe('an actor that nobody knows', () => {
  it('does not stay in memory', async () => {
    const { ask, host } = await open(new MemoryJournal())
    for (let index = 0; index < 50; index++) await ask(`acc_00unknown${index}`, read)
    await until('nobody is resident', () => host.status().residents === 0)
    expect(host.status().waiting).toBe(0)
  })

  it('stays when its first command has events', async () => {
    const { ask, host } = await open(new MemoryJournal())
    await ask(alice, deposit(1))
    expect(host.status().residents).toBe(1)
  })
})

describe('snapshots', () => {
  it('are taken on the way and make recovery short', async () => {
    const journal = new MemoryJournal()
    const first = await open(journal, { definitions: [accountDefinition({ snapshotEvery: 10 })] })
    for (let index = 0; index < 25; index++) await first.ask(alice, deposit(1))
    await until('a snapshot is stored', () => journal.snapshots.get(alice)?.seq === 20)
    await first.host[Symbol.asyncDispose]()
    journal.events.get(alice)?.fill({ seq: 0, commandId: null, data: 'gone' }, 0, 20)
    const second = await open(journal)
    expect(await second.ask(alice, read)).toEqual({ is: 'done', balance: 25 })
  })
})
