import { describe, expect, it, onTestFinished } from 'vitest'
import { VaultFolder } from '../../persistence/vault/parts/vault-folder.ts'
import { accountDefinition, alice, deposit, read } from '../parts/account.ts'
import { codeOf, hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { MemoryVault } from '../parts/memory-vault.ts'
import { until } from '../parts/poll.ts'
import { testRuntime } from '../parts/test-runtime.ts'

const open = hostsOfThisFile()
const definitions = [accountDefinition({ keyParent: () => ({ tenant: 'ten_1', connection: null }) })]

describe('the data key of a record', () => {
  it('is durable before the first sealed event, and nobody makes one for an id without events', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const { ask } = await open(journal, { vault, definitions })
    await ask(alice, read)
    expect(vault.calls).toEqual([])
    await Promise.all([ask(alice, deposit(1)), ask(alice, deposit(1)), ask(alice, read)])
    expect(vault.calls).toEqual([`create ${alice}`])
    expect(journal.events.get(alice)?.[0]?.data).not.toContain('Deposited')
    const other = await open(journal, { vault, definitions })
    expect(await other.ask(alice, read)).toEqual({ is: 'done', balance: 2 })
    expect(vault.calls.at(-1)).toBe(`open ${alice}`)
  })

  it('cannot be made while the key store is away: retryable, nothing is committed', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const { ask } = await open(journal, { vault, definitions })
    vault.isAway = true
    expect(await codeOf(ask(alice, deposit(1)))).toBe('unavailable')
    vault.isAway = false
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 1 })
  })

  it('cannot be made below an erased parent, and the asker hears that', async () => {
    const vault = new MemoryVault()
    vault.parentIsGone = true
    const { ask } = await open(new MemoryJournal(), { vault, definitions })
    expect(await codeOf(ask(alice, deposit(1)))).toBe('KeyGone')
  })

  it('is gone before an erasure is answered', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const { ask } = await open(journal, { vault, definitions })
    await ask(alice, deposit(1))
    await ask(alice, { type: 'Erase' })
    expect(vault.keys.has(alice)).toBe(false)
    await until('the wake-up is gone', () => journal.timers.size === 0)
  })

  it('is still gone when the first attempt failed; nothing is answered before', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const runtime = testRuntime()
    const { ask } = await open(journal, { vault, definitions, runtime })
    await ask(alice, deposit(1))
    vault.isAway = true
    expect(await codeOf(ask(alice, { type: 'Erase' }, 'erase'))).toBe('unavailable')
    expect(await codeOf(ask(alice, read))).toBe('unavailable')
    expect(journal.timers.size).toBe(1)
    vault.isAway = false
    expect(await codeOf(ask(alice, { type: 'Erase' }, 'erase'))).toBe('answered')
    expect(vault.keys.has(alice)).toBe(false)
  })

  it('is deleted after a crash between the commit and the deletion, without anybody asking', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const first = await open(journal, { vault, definitions })
    await first.ask(alice, deposit(1))
    vault.isAway = true
    await codeOf(first.ask(alice, { type: 'Erase' }))
    journal.opened.get(0)?.lose('fenced')
    vault.isAway = false
    await open(journal, { vault, definitions })
    await until('the key is gone', () => !vault.keys.has(alice))
    await until('the wake-up is gone', () => journal.timers.size === 0)
    expect(vault.calls.filter((call) => call === `erase ${alice}`).length).toBeGreaterThan(1)
  })

  it('that is not known fails as retryable, and nothing is erased for want of it', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const first = await open(journal, { vault, definitions })
    await first.ask(alice, deposit(1))
    journal.opened.get(0)?.lose('fenced')
    vault.unknown.add(alice)
    const { ask, faults } = await open(journal, { vault, definitions })
    expect(await codeOf(ask(alice, deposit(1)))).toBe('unavailable')
    expect(faults).toMatchObject([{ during: 'recovery', actor: alice, error: { name: 'KeyUnknown' } }])
    expect(vault.calls.filter((call) => !call.startsWith('open'))).toEqual([`create ${alice}`])
    vault.unknown.clear()
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 2 })
  })

  it('of the next owner opens the record at the one before, who had made it another and begun nothing', async () => {
    const place = new VaultFolder()
    place.makeKeyFile()
    const store = await place.openStore()
    onTestFinished(() => place.close())
    const [before, next] = [place.vault(store, { isShared: true }), place.vault(store, { isShared: true })]
    const journal = new MemoryJournal()
    const owner = await open(journal, { vault: next, definitions })
    // The first of a record's keys seals, and it may be that of either: so several records.
    const records = Array.from({ length: 8 }, (_, index) => `acc_00aaaaaaa${index}`)
    for (const record of records) {
      await before.create(record, { tenant: 'ten_1', connection: null })
      await owner.ask(record, deposit(1))
    }
    journal.opened.get(0)?.lose('fenced')
    const { ask } = await open(journal, { vault: before, definitions })
    for (const record of records) expect(await ask(record, read)).toEqual({ is: 'done', balance: 1 })
  })

  it('that is lost leaves a record to read, which decides nothing, owes nothing and is not erased', async () => {
    const journal = new MemoryJournal()
    const vault = new MemoryVault()
    const first = await open(journal, { vault, definitions })
    await first.ask(alice, deposit(1))
    await first.ask(alice, { type: 'SetAlarm', id: 'soon', dueMs: 1 })
    journal.opened.get(0)?.lose('fenced')
    vault.lost.add(alice)
    const { ask, host } = await open(journal, { vault, definitions })
    expect(await codeOf(ask(alice, deposit(1)))).toBe('KeyLost')
    expect(await host.read(alice as never)).toEqual({ is: 'done', balance: 0 })
    await until('the wake-up is gone', () => journal.timers.size === 0)
    expect(vault.calls.filter((call) => !call.startsWith('open'))).toEqual([`create ${alice}`])
    expect(journal.events.get(alice)).toHaveLength(2)
  })
})
