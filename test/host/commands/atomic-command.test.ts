import { describe, expect, it } from 'vitest'
import { isRefused } from '../../../src/domain/decider.ts'
import { referencesTo } from '../../../src/domain/references.ts'
import { addressed } from '../../../src/ports/actors.ts'
import { alice, bob, type AccountCommand, type AccountTypes } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import type { TestHost } from '../parts/open-host.ts'

const open = hostsOfThisFile()

const accounts = referencesTo<AccountTypes>('acc')

let asked = 0
const together = async (
  { host }: TestHost,
  commands: readonly (readonly [string, AccountCommand])[],
  commandId = `whole-${++asked}`,
): Promise<readonly unknown[]> => {
  const members = commands.map(([actor, command]) => addressed(accounts.ref(actor), command))
  const answer = await host.askAtomically(members, { commandId, timeoutMs: 2_000, tenant: null })
  return isRefused(answer) ? [answer] : answer
}
const transfer = (amount: number) =>
  [
    [bob, { type: 'Deposit', amount }],
    [alice, { type: 'Withdraw', amount }],
  ] as const

describe('asking several actors together', () => {
  it('commits all in one batch', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal)
    await test.ask(alice, { type: 'Deposit', amount: 5 })
    expect(await together(test, transfer(3))).toEqual([
      { is: 'done', balance: 3 },
      { is: 'done', balance: 2 },
    ])
    expect(journal.batches.at(-1)?.map(({ actor }) => actor)).toEqual([bob, alice])
  })

  it('does nothing when one refuses', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal)
    await test.ask(alice, { type: 'Deposit', amount: 5 })
    expect((await together(test, transfer(6))).at(-1)).toMatchObject({
      refused: 'forbidden',
      reason: 'The balance is 5.',
    })
    expect(await test.ask(bob, { type: 'Read' })).toEqual({ is: 'done', balance: 0 })
    expect(journal.eventsOf(bob)).toEqual([])
  })

  it('does nothing when one has a bug, and its neighbours go on', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal)
    expect(
      await codeOf(
        together(test, [
          [bob, { type: 'Deposit', amount: 1 }],
          [alice, { type: 'Crash' }],
        ]),
      ),
    ).toBe('ActorFailed')
    expect(await test.ask(bob, { type: 'Deposit', amount: 2 })).toEqual({ is: 'done', balance: 2 })
    expect(await test.ask(alice, { type: 'Read' })).toEqual({ is: 'done', balance: 0 })
    expect(journal.eventsOf(bob)).toHaveLength(1)
  })

  it('has its effect once under one command id, also after a restart', async () => {
    const journal = new MemoryJournal()
    const first = await open(journal)
    await first.ask(alice, { type: 'Deposit', amount: 5 })
    await Promise.all([together(first, transfer(2), 'same'), together(first, transfer(2), 'same')])
    await first.host[Symbol.asyncDispose]()
    const second = await open(journal)
    await together(second, transfer(2), 'same')
    expect(await second.ask(bob, { type: 'Read' })).toEqual({ is: 'done', balance: 2 })
    expect(await second.ask(alice, { type: 'Read' })).toEqual({ is: 'done', balance: 3 })
  })

  it('may address one actor twice; the second decides on the first', async () => {
    const test = await open(new MemoryJournal())
    const replies = await together(test, [
      [alice, { type: 'Deposit', amount: 2 }],
      [alice, { type: 'Withdraw', amount: 2 }],
    ])
    expect(replies).toEqual([
      { is: 'done', balance: 2 },
      { is: 'done', balance: 0 },
    ])
  })

  it('is never torn apart by the limits of a batch', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal, { limits: { batchEntriesMax: 3 } })
    const actors = Array.from({ length: 6 }, (_, index) => `acc_00aaaaaaa${index}`)
    await Promise.all([
      test.ask(alice, { type: 'Deposit', amount: 1 }),
      together(
        test,
        actors.map((actor) => [actor, { type: 'Deposit', amount: 1 }]),
      ),
      test.ask(bob, { type: 'Deposit', amount: 1 }),
    ])
    expect(
      journal.batches.some((batch) => actors.every((actor) => batch.some((entry) => entry.actor === actor))),
    ).toBe(true)
  })

  it('keeps money through crossing transfers', async () => {
    const test = await open(new MemoryJournal(), { limits: { residentMax: 16 } })
    const actors = Array.from({ length: 40 }, (_, index) => `acc_00aaaaaa${String(index).padStart(2, '0')}`)
    for (const actor of actors) await test.ask(actor, { type: 'Deposit', amount: 10 })
    await Promise.all(
      Array.from({ length: 400 }, (_, index) => {
        const from = actors[index % 40] ?? ''
        const to = actors[(index * 7 + 3) % 40] ?? ''
        return together(test, [
          [to, { type: 'Deposit', amount: 3 }],
          [from, { type: 'Withdraw', amount: 3 }],
        ])
      }),
    )
    const balances = await Promise.all(actors.map((actor) => test.ask(actor, { type: 'Read' })))
    expect(balances.reduce((sum, { balance }) => sum + balance, 0)).toBe(400)
    expect(Math.min(...balances.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0)
  })

  it('is for actors of one shard', async () => {
    const test = await open(new MemoryJournal(), { shards: [0, 1] })
    await expect(
      together(test, [
        [alice, { type: 'Read' }],
        ['acc_01aaaaaaaa', { type: 'Read' }],
      ]),
    ).rejects.toThrow('one shard')
  })
})

describe('a record that begins with an atomic command', () => {
  const createBob = [
    [alice, { type: 'Deposit', amount: 1 }],
    [bob, { type: 'Deposit', amount: 2 }],
  ] as const
  const begin = ({ host }: TestHost, commandId: string): Promise<unknown> => {
    const members = createBob.map(([actor, command]) => addressed(accounts.ref(actor), command))
    return host.askAtomically(members, { commandId, timeoutMs: 2_000, tenant: null, begins: bob })
  }

  it('is not looked for in the journal, and is there like any other', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal)
    await test.ask(alice, { type: 'Deposit', amount: 5 })
    journal.loads = 0
    expect(await begin(test, 'one')).toEqual([
      { is: 'done', balance: 6 },
      { is: 'done', balance: 2 },
    ])
    expect(journal.loads).toBe(0)
    await test.host[Symbol.asyncDispose]()
    const next = await open(journal)
    expect(await next.ask(bob, { type: 'Read' })).toEqual({ is: 'done', balance: 2 })
  })

  it('is not looked for either where another of the command is still to be loaded', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal)
    expect(await begin(test, 'one')).toEqual([
      { is: 'done', balance: 1 },
      { is: 'done', balance: 2 },
    ])
    expect(journal.loads).toBe(1)
  })

  it('is looked for where asks may go to other nodes and come again', async () => {
    const journal = new MemoryJournal()
    const test = await open(journal, { reach: (local) => local })
    await begin(test, 'one')
    expect(journal.loads).toBe(2)
  })
})
