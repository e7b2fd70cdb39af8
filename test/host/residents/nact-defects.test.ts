import { askById } from '../parts/ask-by-id.ts'
import { describe, expect, it, vi } from 'vitest'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { Host } from '../../../src/host/host.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { type AccountReply, accountDefinition, alice, bob, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()
const actorsOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `acc_00aaa${String(index).padStart(5, '0')}`)

describe('what is known to be wrong in nact 7.6.2 does not reach an asker', () => {
  it('1: temporary ids collide, so query hands a reply to the wrong asker', async () => {
    const { ask } = await open(new MemoryJournal())
    const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
    try {
      const actors = actorsOf(200)
      const replies = await Promise.all(actors.map((actor, index) => ask(actor, deposit(index + 1))))
      expect(replies.map(({ balance }) => balance)).toEqual(actors.map((_, index) => index + 1))
    } finally {
      random.mockRestore()
    }
  })

  it('2: stop ignores a handler in flight, and a respawn makes two writers of one actor', async () => {
    const journal = new MemoryJournal()
    const { ask, host, faults } = await open(journal, { limits: { residentMax: 16, idleMs: 0 } })
    const actors = actorsOf(64)
    // The journal refuses a second writer's sequence numbers.
    const asker = async (start: number): Promise<void> => {
      for (let step = 0; step < 320; step++) await ask(actors[(start * 5 + step * 7) % 64] ?? '', deposit(1))
    }
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(asker))
    for (const actor of actors) expect(journal.eventsOf(actor)).toHaveLength(40)
    expect(journal.loads).toBeGreaterThan(actors.length * 4)
    expect(faults).toEqual([])
    await until('everybody left', () => host.status().residents === 0)
  })

  it('3: a crash drops the mailbox without a word', async () => {
    const { ask, faults } = await open(new MemoryJournal())
    await ask(alice, deposit(1))
    const codes = await Promise.all([
      codeOf(ask(alice, deposit(1))),
      codeOf(ask(alice, { type: 'Crash' })),
      codeOf(ask(alice, deposit(1))),
      codeOf(ask(alice, read)),
      codeOf(ask(bob, deposit(1))),
    ])
    expect(codes).toEqual(['answered', 'ActorFailed', 'unavailable', 'unavailable', 'answered'])
    expect(faults).toMatchObject([{ during: 'decision', actor: alice }])
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 2 })
  })

  it('3: what was decided before a crash is committed before the actor decides again', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    await ask(alice, read)
    journal.hold()
    const decided = ask(alice, deposit(1))
    const crashing = codeOf(ask(alice, { type: 'Crash' }))
    expect(await crashing).toBe('ActorFailed')
    const later = ask(alice, deposit(1))
    await new Promise((resolve) => setTimeout(resolve, 30))
    journal.release()
    expect([await decided, await later]).toEqual([
      { is: 'done', balance: 1 },
      { is: 'done', balance: 2 },
    ])
  })

  it('4: reset and escalate leave two handlers or zombies behind', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal)
    let answered = 0
    for (let round = 0; round < 50; round++) {
      const codes = await Promise.all([
        codeOf(ask(alice, deposit(1))),
        codeOf(ask(alice, { type: round % 2 === 0 ? 'Crash' : 'DecideImpossibleEvent' })),
        codeOf(ask(alice, deposit(1))),
      ])
      answered += codes.filter((code) => code === 'answered').length
    }
    expect(journal.eventsOf(alice)).toHaveLength(answered)
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: answered })
  })

  it('5: a throw in onCrash or afterStop ends the process', async () => {
    const host = new Host({
      journal: new MemoryJournal(),
      vault: null,
      runtime: createRuntime(),
      definitions: () => [accountDefinition()],
      limits: { ...defaultHostLimits, idleMs: 0 },
      report: () => {
        throw new Error('the reporter is broken too')
      },
    })
    await host.open(0)
    const options = { timeoutMs: 2_000, tenant: null }
    await askById(host, alice, deposit(1), { ...options, commandId: 'a' })
    expect(await codeOf(askById(host, alice, { type: 'Crash' }, { ...options, commandId: 'b' }))).toBe(
      'ActorFailed',
    )
    expect(await askById<AccountReply>(host, alice, read, { ...options, commandId: 'c' })).toMatchObject({
      balance: 1,
    })
    await until('the actor left', () => host.status().residents === 0)
    await host[Symbol.asyncDispose]()
  })

  it('5: an idle time of more than 2^31 ms passes at once', async () => {
    const { ask, host } = await open(new MemoryJournal(), { limits: { idleMs: 2 ** 31 + 60_000 } })
    await ask(alice, deposit(1))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(host.status().residents).toBe(1)
  })

  it('6: the mailbox has no bound', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal)
    journal.hold()
    const asks = Array.from({ length: 5_000 }, () => codeOf(ask(alice, deposit(1))))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(host.status().waiting).toBe(defaultHostLimits.actorQueueMax)
    journal.release()
    const codes = await Promise.all(asks)
    expect(codes.filter((code) => code === 'overloaded')).toHaveLength(
      5_000 - defaultHostLimits.actorQueueMax,
    )
  })

  it('7: a parent copies the map of its children for each message', async () => {
    const { ask, host } = await open(new MemoryJournal(), {
      limits: { residentMax: 30_000, shardQueueMax: 30_000 },
      timeoutMs: 60_000,
    })
    const actors = actorsOf(20_000)
    const msOfAsks = async (): Promise<number> => {
      const begin = performance.now()
      for (const actor of actors.slice(0, 300)) await ask(actor, read)
      return performance.now() - begin
    }
    await Promise.all(actors.slice(0, 300).map((actor) => ask(actor, deposit(1))))
    const amongFew = Math.min(await msOfAsks(), await msOfAsks(), await msOfAsks())
    await Promise.all(actors.slice(300).map((actor) => ask(actor, deposit(1))))
    expect(host.status().residents).toBe(20_000)
    const amongMany = Math.min(await msOfAsks(), await msOfAsks(), await msOfAsks())
    // Copying a map of 20,000 for each message would make it some twenty times as long.
    expect(amongMany).toBeLessThan(amongFew * 6 + 20)
  })
})
