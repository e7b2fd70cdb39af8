import { describe, expect, it } from 'vitest'
import { alice, bob, deposit, read } from './parts/account.ts'
import { codeOf, hostsOfThisFile } from './parts/hosts.ts'
import { MemoryJournal } from './parts/memory-journal.ts'
import type { TestHost } from './parts/open-host.ts'

const open = hostsOfThisFile()

describe('a lost shard', () => {
  it('answers everything in flight as retryable and forgets what was not committed', async () => {
    const journal = new MemoryJournal()
    const { ask, host, lost: shardsLost } = await open(journal)
    await ask(alice, deposit(1))
    journal.hold()
    const lost = [ask(alice, deposit(1)), ask(alice, read), ask(bob, deposit(1))].map(codeOf)
    await new Promise((resolve) => setTimeout(resolve, 20))
    journal.opened.get(0)?.lose('fenced')
    expect(await Promise.all(lost)).toEqual(['not_owner', 'not_owner', 'not_owner'])
    journal.release()
    expect(shardsLost).toEqual([0])
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
    journal.release()
    for (const codes of [ofOne, ofOther])
      expect(codes.filter((code) => code === 'overloaded')).toHaveLength(1)
    expect(test.host.status().waiting).toBe(0)
  })
})
