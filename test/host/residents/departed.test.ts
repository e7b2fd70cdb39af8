import { describe, expect, it } from 'vitest'
import { referencesTo } from '../../../src/domain/references.ts'
import { FORGET_TIMER } from '../../../src/host/timers/shard-timers.ts'
import { addressed } from '../../../src/ports/actors.ts'
import {
  type AccountDefinition,
  type AccountTypes,
  accountDefinition,
  alice,
  bob,
  deposit,
  read,
} from '../parts/account.ts'
import { hostsOfThisFile } from '../parts/hosts.ts'
import { MemoryJournal } from '../parts/memory-journal.ts'
import { MemoryVault } from '../parts/memory-vault.ts'
import { until } from '../parts/poll.ts'
import { testRuntime, type TestRuntime } from '../parts/test-runtime.ts'

const open = hostsOfThisFile()

/** An account is over at a balance of ten, which is personal, and when it is erased. */
const hostOver = async (changes: Partial<AccountDefinition> = {}, vault = new MemoryVault()) => {
  const journal = new MemoryJournal()
  const runtime = testRuntime()
  const definitions = [
    accountDefinition({
      isOver: ({ balance, erased }) => erased || balance === 10,
      forgetAfterMs: 1_000,
      ...changes,
    }),
  ]
  const opened = await open(journal, { definitions, runtime, vault })
  const isAway = () => until('it has left memory', () => opened.host.status().residents === 0)
  /** While time passes, slowly enough that nothing leaves memory for being idle. */
  const isDone = async (holds: () => boolean): Promise<void> => {
    const isSo = () => {
      runtime.forward(500)
      return holds() && rowsOf(journal).length === 0
    }
    await expect.poll(isSo, { interval: 10, timeout: 10_000 }).toBe(true)
  }
  return { ...opened, journal, runtime, isAway, isDone }
}

const rowsOf = (journal: MemoryJournal) =>
  [...journal.timers.values()].filter(({ timerId }) => timerId === FORGET_TIMER)

/** The next step in which the journal forgets waits until it is let go. */
const heldForget = (journal: MemoryJournal) => {
  const shard = journal.opened.get(0)
  if (shard === undefined) throw new Error('the shard is not open')
  const forget = shard.forget.bind(shard)
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  shard.forget = async (actor, last) => {
    begun.resolve()
    await held.promise
    return forget(actor, last)
  }
  return { begun: begun.promise, letGo: held.resolve }
}

/** Until the host has looked at its residents. */
const passed = async (runtime: TestRuntime, ms: number): Promise<void> => {
  runtime.forward(ms)
  await new Promise((resolve) => setTimeout(resolve, 150))
}

describe('a record that is over and erased', () => {
  it('leaves memory soon, and is folded without being read', async () => {
    const keyParent = () => ({ tenant: 'ten_1', connection: null })
    const { ask, journal, isAway, isDone } = await hostOver({ keyParent })
    await ask(alice, deposit(10))
    await ask(alice, { type: 'Erase' })
    // The lists ask for its row.
    expect(await ask(alice, read)).toEqual({ is: 'done', balance: 10 })
    await isAway()
    expect(journal.forgets).toEqual([])
    await isDone(() => journal.snapshots.get(alice)?.seq === 2)
    expect([journal.eventsOf(alice), journal.loads]).toEqual([[], 1])
  })

  it('stays while its key has to be deleted', async () => {
    const vault = new MemoryVault()
    const keyParent = () => ({ tenant: 'ten_1', connection: null })
    const { ask, host, journal, runtime, isDone } = await hostOver({ keyParent }, vault)
    await ask(alice, deposit(10))
    vault.isAway = true
    await expect(ask(alice, { type: 'Erase' })).rejects.toMatchObject({ code: 'unavailable' })
    expect(host.status().residents).toBe(1)
    vault.isAway = false
    runtime.forward(5_000)
    await isDone(() => journal.snapshots.get(alice)?.seq === 2)
    expect(vault.keys.has(alice)).toBe(false)
  })

  it('is folded from memory when somebody has asked for it meanwhile', async () => {
    const { ask, journal, isAway, isDone } = await hostOver()
    await ask(alice, deposit(10), 'ten')
    await ask(alice, { type: 'Erase' })
    await isAway()
    expect(await ask(alice, deposit(10), 'ten')).toEqual({ is: 'done', balance: 10 })
    await isDone(() => journal.snapshots.get(alice)?.seq === 2)
    expect(journal.loads).toBe(2)
  })

  it('is read also by a caller who says that it begins', async () => {
    const { ask, host, journal, isAway } = await hostOver()
    await ask(alice, deposit(10))
    await ask(alice, { type: 'Erase' })
    await isAway()
    const accounts = referencesTo<AccountTypes>('acc')
    const members = [bob, alice].map((actor) => addressed(accounts.ref(actor), deposit(1)))
    const options = { commandId: 'both', timeoutMs: 2_000, tenant: null, begins: alice }
    expect(await host.askAtomically(members, options)).toEqual([
      { is: 'done', balance: 1 },
      { is: 'done', balance: 11 },
    ])
    expect(journal.loads).toBe(3)
  })

  it('is read when its events have gone, by whoever asks while they go', async () => {
    const { ask, journal, runtime, isAway, isDone } = await hostOver()
    await ask(alice, deposit(10))
    await ask(alice, { type: 'Erase' })
    await isAway()
    const { begun, letGo } = heldForget(journal)
    runtime.forward(5_000)
    await begun
    const asked = ask(alice, deposit(1))
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(journal.loads).toBe(1)
    letGo()
    expect(await asked).toEqual({ is: 'done', balance: 11 })
    await isDone(() => journal.snapshots.get(alice)?.seq === 3)
    expect(journal.eventsOf(alice)).toEqual([])
  })

  it('is read and folded later where a reader of the log is behind', async () => {
    const { ask, journal, isAway, isDone, runtime } = await hostOver()
    journal.isPassed = false
    await ask(alice, deposit(10))
    await ask(alice, { type: 'Erase' })
    await isAway()
    runtime.forward(5_000)
    await until('it was tried', () => journal.forgets.length === 1)
    journal.isPassed = true
    await isDone(() => journal.snapshots.get(alice)?.seq === 2)
    expect(journal.loads).toBe(2)
  })

  it('stays like any other where that reader is still behind, since it may stand still for days', async () => {
    const { ask, host, journal, runtime, isAway, isDone } = await hostOver()
    journal.isPassed = false
    await ask(alice, deposit(10))
    await ask(alice, { type: 'Erase' })
    await isAway()
    runtime.forward(5_000)
    await until('it was tried', () => journal.forgets.length === 1)
    runtime.forward(31_000)
    await until('it was tried again', () => journal.forgets.length === 2)
    await passed(runtime, 1_000)
    expect(host.status().residents).toBe(1)
    journal.isPassed = true
    await isDone(() => journal.snapshots.get(alice)?.seq === 2)
    expect(journal.loads).toBe(2)
  })
})

describe('many records that are over and erased', () => {
  it('have their events go as fast as the journal takes them, so that who asks for one does not wait for all', async () => {
    const { ask, host, journal, runtime, isDone } = await hostOver()
    const many = Array.from({ length: 400 }, (_, index) => `acc_00aaaa${String(index).padStart(4, '0')}`)
    await Promise.all(many.map((actor) => ask(actor, deposit(10))))
    await Promise.all(many.map((actor) => ask(actor, { type: 'Erase' })))
    await until('all have left memory', () => host.status().residents === 0)
    const shard = journal.opened.get(0)
    if (shard === undefined) throw new Error('the shard is not open')
    const forget = shard.forget.bind(shard)
    const held = Promise.withResolvers<void>()
    let underWay = 0
    shard.forget = async (actor, last) => {
      underWay++
      await held.promise
      return forget(actor, last)
    }
    await passed(runtime, 5_000)
    await passed(runtime, 1_000)
    await passed(runtime, 1_000)
    expect(underWay).toBe(128)
    held.resolve()
    await isDone(() => many.every((actor) => journal.snapshots.get(actor)?.seq === 2))
    expect([underWay, journal.loads]).toEqual([400, 400])
  })
})

describe('a record that is over and means nothing more', () => {
  it('leaves memory soon, and goes whole without being read', async () => {
    const { ask, journal, isAway, isDone } = await hostOver({ goneAtMs: () => 0 })
    await ask(alice, deposit(10))
    await isAway()
    expect(journal.events.has(alice)).toBe(true)
    await isDone(() => !journal.events.has(alice))
    expect([journal.forgets, journal.loads]).toEqual([[alice], 1])
  })

  it('begins anew when it has gone, for whoever asks while it goes', async () => {
    const { ask, journal, runtime, isAway } = await hostOver({ goneAtMs: () => 0 })
    await ask(alice, deposit(10))
    await isAway()
    const { begun, letGo } = heldForget(journal)
    runtime.forward(5_000)
    await begun
    const asked = ask(alice, deposit(2))
    letGo()
    expect(await asked).toEqual({ is: 'done', balance: 2 })
  })

  it('stays, with all that it is, where it means something again before it goes', async () => {
    const goneAtMs: AccountDefinition['goneAtMs'] = ({ balance }) => (balance === 10 ? 0 : null)
    const { ask, journal, isAway, isDone } = await hostOver({ goneAtMs })
    await ask(alice, deposit(10))
    await isAway()
    expect(await ask(alice, deposit(1))).toEqual({ is: 'done', balance: 11 })
    await isDone(() => true)
    expect([journal.forgets, journal.eventsOf(alice).length]).toEqual([[], 2])
  })

  it('stays where its time to mean nothing is still to come', async () => {
    const goneAtMs = Date.now() + 60_000
    const { ask, host, runtime } = await hostOver({ goneAtMs: () => goneAtMs })
    await ask(alice, deposit(10))
    await passed(runtime, 1_000)
    expect(host.status().residents).toBe(1)
  })

  it('stays where it has a key', async () => {
    const keyParent = () => ({ tenant: 'ten_1', connection: null })
    const { ask, host, journal, runtime, isDone } = await hostOver({
      goneAtMs: () => 0,
      keyParent,
      forgetAfterMs: 5_000,
    })
    await ask(alice, deposit(10))
    await passed(runtime, 1_000)
    expect(host.status().residents).toBe(1)
    await isDone(() => !journal.events.has(alice))
  })
})
