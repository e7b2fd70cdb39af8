import { describe, expect, it } from 'vitest'
import { accountDefinition, alice, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { until } from '../parts/poll.ts'

const open = hostsOfThisFile()

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

describe('recovery', () => {
  it('fails for an actor whose events cannot be read, and for no other', async () => {
    const journal = new MemoryJournal()
    const { ask, faults, host } = await open(journal)
    journal.events.set(alice, [{ seq: 1, commandId: null, data: 'no JSON' }])
    expect(await codeOf(ask(alice, read))).toBe('ActorFailed')
    expect(faults).toMatchObject([{ during: 'recovery', actor: alice }])
    expect(await ask('acc_00bbbbbbbb', deposit(1))).toEqual({ is: 'done', balance: 1 })
    expect(host.status()).toMatchObject({ residents: 1, waiting: 0 })
  })
})
