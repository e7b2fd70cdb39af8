import { describe, expect, it } from 'vitest'
import { accountDefinition, alice, deposit, read } from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()

describe('an actor that nobody knows', () => {
  it('does not stay in memory', async () => {
    const { ask, host } = await open(new MemoryJournal())
    for (let index = 0; index < 50; index++) await ask(`acc_00unknown${index}`, read)
    await until('nobody is resident', () => host.status().residents === 0)
    expect(host.status().waiting).toBe(0)
  })

  it('stays where its kind says so, and is looked for in the journal once', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { definitions: [accountDefinition({ staysUnknown: true })] })
    for (let index = 0; index < 5; index++) await ask(alice, read)
    expect(journal.loads).toBe(1)
    expect(host.status().residents).toBe(1)
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 1 })
  })

  it('leaves as any other where its kind has it stay', async () => {
    const definitions = [accountDefinition({ staysUnknown: true })]
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { definitions, limits: { idleMs: 0 } })
    await ask(alice, read)
    await until('it left', () => host.status().residents === 0)
    await ask(alice, read)
    expect(journal.loads).toBe(2)
  })

  it('stays when its first command has events', async () => {
    const { ask, host } = await open(new MemoryJournal())
    await ask(alice, deposit(1))
    expect(host.status().residents).toBe(1)
  })
})

describe('an actor in memory', () => {
  it('leaves when nobody asked it for long enough, and comes back with its state', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { limits: { idleMs: 0 } })
    for (let count = 1; count <= 5; count++) {
      expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: count })
      await until('it left', () => host.status().residents === 0)
    }
    expect(journal.loads).toBe(5)
  })

  it('does not leave while something of it is uncommitted', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { limits: { idleMs: 0 } })
    journal.hold()
    const asking = ask(alice, deposit(1))
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(host.status().residents).toBe(1)
    journal.release()
    expect(await asking).toEqual({ is: 'done', balance: 1 })
  })

  it('stays longer than those that were used longer ago', async () => {
    const journal = new MemoryJournal()
    const { ask } = await open(journal, { limits: { residentMax: 2 } })
    const [bob, carol] = ['acc_00bbbbbbbb', 'acc_00cccccccc']
    for (const actor of [alice, bob, alice, carol, alice]) await ask(actor, deposit(1))
    expect(journal.loads).toBe(3)
    await ask(bob, read)
    expect(journal.loads).toBe(4)
  })

  it('is one of a bounded number, however many are asked', async () => {
    const journal = new MemoryJournal()
    const { ask, host } = await open(journal, { limits: { residentMax: 100 } })
    let most = 0
    for (let index = 0; index < 1_000; index++) {
      await ask(`acc_00aaaa${String(index).padStart(4, '0')}`, deposit(1))
      most = Math.max(most, host.status().residents)
    }
    expect(most).toBeLessThanOrEqual(102)
    expect(journal.events.size).toBe(1_000)
  })
})
