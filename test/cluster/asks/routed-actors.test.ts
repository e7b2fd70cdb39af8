import { describe, expect, it, vi } from 'vitest'
import { ASKS } from '../../../src/cluster/asks/other-nodes.ts'
import { requestFrame, textOf } from '../../../src/cluster/asks/request.ts'
import { referencesTo } from '../../../src/domain/references.ts'
import { addressed, ActorFailed, AskFailed, NoSuchActor } from '../../../src/ports/actors.ts'
import { accountDefinition, alice, deposit, type AccountTypes } from '../../host/parts/account.ts'
import { severalNodes } from './parts/several-nodes.ts'

const open = severalNodes()
const accounts = referencesTo<AccountTypes>('acc')
const here = accounts.ref(alice)
const there = accounts.ref('acc_01aaaaaaaa')
const nextToIt = accounts.ref('acc_01bbbbbbbb')
const ask = (commandId: string, timeoutMs = 5_000) => ({ commandId, tenant: 'ten_1', timeoutMs })
const failureOf = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => null,
    (error: unknown) => error,
  )

describe('an ask', () => {
  it('for a shard of this node is the own host, without anything in between', async () => {
    const { a, wires } = await open()
    const asked = vi.spyOn(a.host, 'ask')
    const answer = a.asks.ask(here, deposit(2), ask('one'))
    expect(asked.mock.results[0]?.value).toBe(answer)
    await answer
    expect(a.asks.read(here)).toEqual({ is: 'done', balance: 2 })
    expect(wires.frames).toEqual([])
  })

  it('goes to the node that serves the shard, and brings reply and refusal as they are', async () => {
    const { a, journal } = await open()
    expect(await a.asks.ask(there, deposit(5), ask('one'))).toEqual({ is: 'done', balance: 5 })
    expect(await a.asks.ask(there, { type: 'Withdraw', amount: 9 }, ask('two'))).toEqual({
      refused: 'forbidden',
      reason: 'The balance is 5.',
    })
    expect(await a.asks.read(there)).toEqual({ is: 'done', balance: 5 })
    const both = [addressed(there, deposit(1)), addressed(nextToIt, deposit(2))] as const
    expect(await a.asks.askAtomically(both, ask('both'))).toEqual([
      { is: 'done', balance: 6 },
      { is: 'done', balance: 2 },
    ])
    expect(journal.batches.at(-1)).toHaveLength(2)
    await a.asks.remove(there)
    expect(journal.eventsOf(there)).toEqual([])
    expect(a.asks.counts()).toMatchObject({ hops: 5, retries: 0, waits: 0, inFlightNow: 0 })
  })

  it('has its own tenant and its own deadline there', async () => {
    const { a, b } = await open()
    const asked = vi.spyOn(b.host, 'askHere')
    await a.asks.ask(there, deposit(5), ask('one', 1_234))
    const options = asked.mock.calls[0]?.[2]
    expect(options).toMatchObject({ commandId: 'one', tenant: 'ten_1' })
    expect(options?.timeoutMs).toBeGreaterThan(1_000)
    expect(options?.timeoutMs).toBeLessThanOrEqual(1_234)
  })

  it('may linger there where it may here, and not where an older node asks', async () => {
    const { a, b, wires } = await open()
    const asked = [vi.spyOn(b.host, 'askHere'), vi.spyOn(b.host, 'askAtomically')] as const
    const lingered = () => [
      asked[0].mock.calls.map(([, , options]) => options.mayLinger),
      asked[1].mock.calls.map(([, options]) => options.mayLinger),
    ]
    const members = [addressed(there, deposit(1)), addressed(nextToIt, deposit(1))] as const
    await a.asks.ask(there, deposit(1), { ...ask('one'), mayLinger: true })
    await a.asks.ask(there, deposit(1), ask('two'))
    await a.asks.askAtomically(members, { ...ask('three'), mayLinger: true })
    await a.asks.askAtomically(members, ask('four'))
    expect(lingered()).toEqual([
      [true, false],
      [true, false],
    ])
    const older = [
      ['ask', there, deposit(1), 'five', null],
      ['together', [[there, deposit(1)]], 'six', null],
    ] as const
    for (const request of older)
      await wires.link('older').request('b', ASKS, requestFrame(textOf(request), 5_000, 1), ask(''))
    expect(lingered()).toEqual([
      [true, false, false],
      [true, false, false],
    ])
  })

  it('fails there as it would fail here', async () => {
    const { a, b, journal } = await open()
    expect(await failureOf(a.asks.ask(accounts.ref('acc_zz'), deposit(1), ask('0')))).toBeInstanceOf(
      NoSuchActor,
    )
    expect(await failureOf(a.asks.ask(accounts.ref('bcc_01aaaaaaaa'), deposit(1), ask('1')))).toBeInstanceOf(
      NoSuchActor,
    )
    const broken = await failureOf(a.asks.ask(there, { type: 'Crash' }, ask('2')))
    expect(broken).toBeInstanceOf(ActorFailed)
    expect(broken).toMatchObject({ actor: there, retryable: false, cause: { name: 'Error' } })
    journal.confirmed = false
    expect(await failureOf(a.asks.ask(there, deposit(1), ask('3')))).toEqual(
      await failureOf(b.host.ask(there, deposit(1), ask('3'))),
    )
    journal.confirmed = true
    await expect(
      a.asks.askAtomically([addressed(here, deposit(1)), addressed(there, deposit(1))], ask('4')),
    ).rejects.toThrow('only actors of one shard can be asked together')
  })

  it('asks once whether an actor may be loaded, and only the answer goes along', async () => {
    const { a } = await open()
    const mayLoad = vi.fn<() => boolean>(() => false)
    expect(await a.asks.read(there, { mayLoad })).toMatchObject({ refused: 'not_found' })
    expect(mayLoad).toHaveBeenCalledOnce()
    await a.asks.ask(there, deposit(5), ask('one'))
    // In memory it answers whoever asks.
    expect(await a.asks.read(there, { mayLoad })).toEqual({ is: 'done', balance: 5 })
  })
})

describe('a shard that is elsewhere than the map of the caller says', () => {
  it('is found by a newer map, and the command has its effect once', async () => {
    const { a, b, c, map, journal } = await open()
    await b.host.close(1)
    await c.host.open(1)
    map.move(1, 'c')
    await Promise.all([b, c].map((node) => node.map.refreshed()))
    expect(await a.asks.ask(there, deposit(5), ask('one'))).toEqual({ is: 'done', balance: 5 })
    expect(a.map.current().version).toBe(2)
    expect(journal.eventsOf(there)).toHaveLength(1)
    expect(await a.asks.ask(there, deposit(5), ask('two'))).toEqual({ is: 'done', balance: 10 })
    expect(a.asks.counts()).toMatchObject({ retries: 1, waits: 1 })
  })

  it('is found at the node that is to have it, also before the map says that it has', async () => {
    const { a, b, c, map } = await open()
    map.move(1, 'b', 'c')
    await b.host.close(1)
    await c.host.open(1)
    expect(await a.asks.ask(there, deposit(5), ask('one'))).toEqual({ is: 'done', balance: 5 })
    const { retries } = a.asks.counts()
    expect(await a.asks.ask(there, deposit(5), ask('two'))).toEqual({ is: 'done', balance: 10 })
    expect(a.asks.counts().retries).toBe(retries)
  })
})

describe('a connection that is lost', () => {
  it.each([
    ['before the command arrives', 'cut_before'],
    ['after the command was done', 'cut_after'],
    ['before anything was sent', 'not_sent'],
  ] as const)('%s leaves one effect under one command id', async (_, wire) => {
    const { a, wires, journal } = await open()
    let cuts = 3
    wires.wire = (_from, _to, text) => (text.includes('one') && cuts-- > 0 ? wire : 'carries')
    expect(await a.asks.ask(there, deposit(5), ask('one'))).toEqual({ is: 'done', balance: 5 })
    expect(journal.eventsOf(there)).toHaveLength(1)
    expect(a.asks.counts()).toMatchObject({ retries: 3 })
  })

  it('ends in `unavailable` at the deadline, which says nothing of what was asked', async () => {
    const { a, wires, runtime } = await open()
    wires.wire = () => 'not_sent'
    const failed = failureOf(a.asks.ask(there, deposit(5), ask('secret-id')))
    await expect.poll(() => a.asks.counts().waitingNow).toBe(1)
    runtime.forward(5_100)
    const error = await failed
    expect(error).toBeInstanceOf(AskFailed)
    expect(error).toMatchObject({ code: 'unavailable', retryable: true })
    expect(String(error)).not.toContain('secret')
  })

  it('to one node does not hold what is asked of another', async () => {
    const { a, b, c, map, wires } = await open({ settings: { inFlightPerNodeMax: 3 } })
    await b.host.close(2)
    await c.host.open(2)
    map.move(2, 'c')
    await a.map.refreshed()
    wires.wire = (_, to) => (to === 'b' ? 'hangs' : 'carries')
    const hanging = [1, 2, 3, 4].map((each) => failureOf(a.asks.ask(there, deposit(5), ask(`${each}`, 200))))
    expect(await hanging[3]).toMatchObject({ code: 'overloaded' })
    expect(a.asks.counts()).toMatchObject({ inFlightNow: 3, overloaded: 1 })
    const elsewhere = accounts.ref('acc_02aaaaaaaa')
    expect(await a.asks.ask(elsewhere, deposit(5), ask('other'))).toEqual({ is: 'done', balance: 5 })
    for (const each of hanging.slice(0, 3)) expect(await each).toMatchObject({ code: 'unavailable' })
  })
})

describe('what cannot be read', () => {
  it('is reported without a word of it', async () => {
    const { a, b, wires, faults } = await open({ definitions: [accountDefinition()] })
    wires.answer = () => 'r{"theirLabel":"Ada Lovelace"'
    expect(await failureOf(a.asks.ask(there, deposit(5), ask('one')))).toMatchObject({ code: 'unavailable' })
    wires.answer = null
    const answer = await wires
      .link('a')
      .request('b', 'asks', Buffer.from('1 1\n["ask",Ada'), { timeoutMs: 100 })
    expect(Buffer.from(answer).toString()).toContain('unavailable')
    expect(faults).toHaveLength(2)
    expect(faults.map(({ error }) => String(error)).join()).not.toContain('Ada')
    expect(b.asks.counts().answeredForOthers).toBe(1)
  })
})
