import { describe, expect, it, vi } from 'vitest'
import { referencesTo } from '../../../src/domain/references.ts'
import { addressed } from '../../../src/ports/actors.ts'
import { deposit, type AccountTypes } from '../../host/parts/account.ts'
import { severalNodes } from './parts/several-nodes.ts'

const open = severalNodes()
const accounts = referencesTo<AccountTypes>('acc')
const there = accounts.ref('acc_01aaaaaaaa')
const ask = (commandId: string, timeoutMs = 5_000) => ({ commandId, tenant: null, timeoutMs })
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const amounts = (events: readonly unknown[]) => events.map((event) => (event as { amount: number }).amount)
const codeOf = (answer: Promise<unknown>) => answer.then(String, (error: { code: string }) => error.code)

/** Node b has let shard 1 go, and node c is to have it. */
const moving = async (...options: Parameters<ReturnType<typeof severalNodes>>) => {
  const nodes = await open(...options)
  await nodes.b.host.close(1)
  nodes.map.move(1, null, 'c')
  await Promise.all([nodes.a, nodes.b, nodes.c].map(({ map }) => map.refreshed()))
  return nodes
}

describe('asks for a shard that moves', () => {
  it('wait until the new owner serves it, and go in the order in which they came', async () => {
    const { a, c, journal, wires } = await moving()
    const answers = numbers(20).map((amount) => a.asks.ask(there, deposit(amount), ask(`${amount}`)))
    await expect.poll(() => wires.frames.length).toBeGreaterThan(3)
    expect(a.asks.counts()).toMatchObject({ waitingNow: 20, hops: 0 })
    // Whether the new owner serves it is all that was asked.
    expect(wires.frames.filter(({ text }) => !text.includes('["look"'))).toEqual([])
    await c.host.open(1)
    await Promise.all(answers)
    expect(amounts(journal.eventsOf(there))).toEqual(numbers(20))
    expect(a.asks.counts()).toMatchObject({ waitingNow: 0, hops: 20, waits: 20 })
    expect(a.asks.counts().longestWaitMs).toBeGreaterThan(0)
  })

  it('go to the own host as soon as that is the new owner, before what is asked then', async () => {
    const { c, journal } = await moving()
    const answers = numbers(5).map((amount) => c.asks.ask(there, deposit(amount), ask(`${amount}`)))
    expect(c.asks.counts().waitingNow).toBe(5)
    await c.host.open(1)
    c.asks.opened([1])
    expect(c.asks.counts().waitingNow).toBe(0)
    await Promise.all([...answers, c.asks.ask(there, deposit(6), ask('6'))])
    expect(amounts(journal.eventsOf(there))).toEqual(numbers(6))
  })

  it('keep their order also where nobody says that the shard is open', async () => {
    const { c, journal } = await moving()
    const first = c.asks.ask(there, deposit(1), ask('1'))
    await c.host.open(1)
    await Promise.all([c.asks.ask(there, deposit(2), ask('2')), first])
    expect(amounts(journal.eventsOf(there))).toEqual([1, 2])
  })

  it('wait at the node that is just letting it go, which finishes what it has taken on', async () => {
    const { a, b, c, map, journal } = await open()
    const onB = accounts.ref('acc_01bbbbbbbb')
    journal.hold()
    const before = b.asks.ask(onB, deposit(1), ask('before'))
    const closing = b.host.close(1)
    const after = [b, a].map(({ asks }, index) => asks.ask(onB, deposit(2 + index), ask(`after ${index}`)))
    await expect.poll(() => b.asks.counts().waitingNow + a.asks.counts().waitingNow).toBe(2)
    journal.release()
    expect(await before).toEqual({ is: 'done', balance: 1 })
    await closing
    await c.host.open(1)
    map.move(1, 'c')
    await Promise.all([...after, a.map.refreshed(), b.map.refreshed()])
    expect(journal.eventsOf(onB)).toHaveLength(3)
  })

  it('that were taken on where the shard is lost go on at its next owner, and have one effect', async () => {
    const { b, c, map, journal } = await open()
    const nextToIt = accounts.ref('acc_01bbbbbbbb')
    const goneOn = vi.spyOn(c.host, 'askHere')
    journal.hold()
    const asked = b.asks.ask(there, deposit(1), { ...ask('one'), mayLinger: true })
    const together = b.asks.askAtomically([addressed(nextToIt, deposit(2))], ask('two'))
    const read = b.asks.read(accounts.ref('acc_01cccccccc'))
    await expect.poll(() => journal.appends).toBe(1)
    // The journal of node b is over with this, without a word to it.
    await c.host.open(1)
    map.move(1, 'c')
    await expect.poll(() => b.host.isOpen(1)).toBe(false)
    journal.release()
    expect(await asked).toEqual({ is: 'done', balance: 1 })
    expect(await together).toEqual([{ is: 'done', balance: 2 }])
    expect(await read).toEqual({ is: 'done', balance: 0 })
    expect(goneOn.mock.calls.map(([, , options]) => options)).toMatchObject([
      { commandId: 'one', mayLinger: true },
    ])
    expect([there, nextToIt].map((actor) => journal.eventsOf(actor).length)).toEqual([1, 1])
  })

  it('are bounded by their number and by their bytes', async () => {
    const settings = { waitingPerShardMax: 3, waitingBytesPerShardMax: 500 }
    const { a } = await moving({ settings })
    const long = a.asks.ask(accounts.ref('acc_01bbbbbbbb'), { type: 'Pay', id: 'x'.repeat(600) }, ask('long'))
    expect(await codeOf(long)).toBe('overloaded')
    const waiting = numbers(4).map((amount) =>
      codeOf(a.asks.ask(there, deposit(amount), ask(`${amount}`, 300))),
    )
    expect(await waiting[3]).toBe('overloaded')
    expect(await Promise.all(waiting)).toEqual(['unavailable', 'unavailable', 'unavailable', 'overloaded'])
  })

  it('are bounded for the whole node as well', async () => {
    const { a, map } = await moving({ settings: { waitingBytesMax: 200 } })
    map.move(2, null, 'c')
    await a.map.refreshed()
    const waiting = ['acc_01bbbbbbbb', 'acc_02aaaaaaaa', 'acc_02bbbbbbbb'].map((id) =>
      codeOf(a.asks.ask(accounts.ref(id), { type: 'Pay', id: 'x'.repeat(30) }, ask('some', 300))),
    )
    expect(await waiting[2]).toBe('overloaded')
    expect(await Promise.all(waiting)).toEqual(['unavailable', 'unavailable', 'overloaded'])
  })

  it('each have a deadline of their own', async () => {
    const { a, c, runtime } = await moving()
    const [short, long] = [1_000, 60_000].map((timeoutMs) =>
      codeOf(a.asks.ask(there, deposit(1), ask(`${timeoutMs}`, timeoutMs))),
    )
    runtime.forward(2_000)
    expect(await short).toBe('unavailable')
    await c.host.open(1)
    expect(await long).toBe('[object Object]')
  })

  it('that wait when the node stops can be asked again', async () => {
    const { a } = await moving()
    const waiting = codeOf(a.asks.ask(there, deposit(1), ask('one')))
    await a.asks[Symbol.asyncDispose]()
    expect(await waiting).toBe('unavailable')
    expect(await codeOf(a.asks.ask(there, deposit(1), ask('one')))).toBe('unavailable')
  })

  it('go when a connection comes back, without waiting for the next look', async () => {
    const { a, wires, runtime } = await open({ settings: { pauses: { firstMs: 60_000, maxMs: 60_000 } } })
    wires.wire = () => 'not_sent'
    const answer = a.asks.ask(there, deposit(1), ask('one', 600_000))
    await expect.poll(() => a.asks.counts().waitingNow).toBe(1)
    wires.wire = () => 'carries'
    wires.connected('a', 'b')
    expect(await answer).toEqual({ is: 'done', balance: 1 })
    expect(runtime.monotonicMs()).toBeGreaterThan(0)
  })
})
