import { afterEach, describe, expect, it } from 'vitest'
import { connectHotFacts } from '../../../src/cluster/facts/hot-facts.ts'
import { readingCopies } from '../../../src/cluster/facts/read-copies.ts'
import { factDefaults, type FactSettings } from '../../../src/cluster/facts/settings.ts'
import { actorId } from '../../../src/domain/references.ts'
import { AskFailed, type Actors } from '../../../src/ports/actors.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

const key = actorId('key', 0, '00000000')
const isCopied = (_: string, view: string) => view !== 'private'
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** Two nodes; the first owns everything. */
const nodes = (settings: Partial<FactSettings> = {}) => {
  const runtime = testRuntime()
  const linked = new LinkedNodes()
  const record = { status: 'active', reads: 0 }
  const node = (name: string, isOwner: boolean) => {
    const place = { ownerOf: () => 'owner', current: () => linked.map, refreshed: async () => linked.map }
    const readHere = () => {
      if (!isOwner) throw new AskFailed('not_owner', 'elsewhere', 50)
      record.reads++
      return { status: record.status }
    }
    const ports = { node: name, link: linked.of(name), map: place, runtime, readHere, isCopied }
    const facts = connectHotFacts(ports, { ...factDefaults, ...settings })
    const host = { read: readHere } as unknown as Actors
    const isOpen = () => isOwner
    stops.push(() => facts.stop())
    return { facts, actors: readingCopies(host, { copies: facts.copies, isOpen, isCopied }) }
  }
  const [owner, reader] = [node('owner', true), node('reader', false)]
  owner.facts.elsewhere.opened(0, 1)
  const read = (): unknown => reader.actors.read(key as never)
  /** As the host does it: commit, call back, answer. */
  const revoke = async () => {
    record.status = 'revoked'
    owner.facts.elsewhere.changed(key)
    await owner.facts.elsewhere.settled(key)
  }
  return { runtime, linked, record, owner, reader, read, revoke }
}

describe('a copy', () => {
  it('is read at once after the first time, and the owner is not asked', async () => {
    const { read, record } = nodes()
    expect(await read()).toEqual({ status: 'active' })
    for (let each = 0; each < 100; each++) expect(read()).toEqual({ status: 'active' })
    expect(record.reads).toBe(1)
  })

  it('is asked for once by all who want it at the same time', async () => {
    const { read, record } = nodes()
    await Promise.all(Array.from({ length: 50 }, read))
    expect(record.reads).toBe(1)
  })

  it('in use is asked for again in the background before its lease is over', async () => {
    const { read, record, runtime } = nodes()
    await read()
    runtime.forward(2_100)
    expect(read()).toEqual({ status: 'active' })
    await expect.poll(() => record.reads).toBe(2)
    runtime.forward(2_100)
    expect(read()).toEqual({ status: 'active' })
  })

  it('is gone when its change is answered, at the node that has it and on the way there', async () => {
    const { read, revoke, linked } = nodes()
    await read()
    await revoke()
    expect(await read()).toEqual({ status: 'revoked' })
    linked.delayMs = 30
    const other = nodes()
    const late = other.read()
    await other.revoke()
    expect(await late).toEqual({ status: 'revoked' })
  })

  it('that cannot be called back holds the answer up until its lease is over', async () => {
    const { read, revoke, linked, runtime } = nodes()
    await read()
    linked.cut('owner', 'reader')
    let isAnswered = false
    const answered = revoke().then(() => {
      isAnswered = true
    })
    runtime.forward(3_000)
    await runtime.sleep(20)
    expect(isAnswered).toBe(false)
    runtime.forward(1_600)
    await answered
    linked.cut('reader', 'owner')
    await expect(Promise.resolve(read())).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('does not stay in memory when its lease is over', async () => {
    const { read, reader, runtime, linked } = nodes()
    await read()
    expect(reader.facts.copies.size.copies).toBe(1)
    linked.cut('reader', 'owner')
    runtime.forward(4_600)
    await expect.poll(() => reader.facts.copies.size.copies).toBe(0)
  })

  it('is not made of a view that stays with its owner, however often it is read', async () => {
    const { reader, owner, record } = nodes()
    for (let each = 0; each < 3; each++) expect(await reader.facts.copies.ask(key, 'private')).toBeDefined()
    expect(record.reads).toBe(3)
    expect(reader.facts.copies.size.copies).toBe(0)
    expect(owner.facts.lender.size.lent).toBe(0)
  })

  it('is not used when its lease is over, and the node that cannot ask says so', async () => {
    const { read, linked, runtime } = nodes({ readTimeoutMs: 100 })
    await read()
    linked.cut('reader', 'owner')
    // Far enough from the end for a machine that is busy.
    runtime.forward(2_500)
    expect(read()).toEqual({ status: 'active' })
    runtime.forward(1_600)
    await expect(Promise.resolve(read())).rejects.toMatchObject({ code: 'unavailable' })
  })
})

describe('bounds', () => {
  it('an owner without room for notes answers each read by itself', async () => {
    const { read, record, owner, revoke } = nodes({ lentMax: 0 })
    for (let each = 0; each < 2; each++) expect(await read()).toEqual({ status: 'active' })
    expect(record.reads).toBe(2)
    expect(owner.facts.lender.size.lent).toBe(0)
    await revoke()
    expect(await read()).toEqual({ status: 'revoked' })
  })

  it('those who come while a question is under way do not get an answer without a lease', async () => {
    const { read, record } = nodes({ lentMax: 0 })
    await Promise.all(Array.from({ length: 10 }, read))
    expect(record.reads).toBe(2)
  })

  it('a reader keeps so many copies', async () => {
    const { reader } = nodes({ copiesMax: 3 })
    for (let each = 0; each < 10; each++)
      await reader.facts.copies.ask(actorId('key', 0, `0000000${each}`), 'record')
    expect(reader.facts.copies.size).toMatchObject({ copies: 3, asked: 0 })
  })

  it('an owner forgets notes that are over', async () => {
    const { reader, owner, runtime } = nodes({ lentMax: 3 })
    const ask = (each: number) => reader.facts.copies.ask(actorId('key', 0, `0000000${each}`), 'record')
    for (let each = 0; each < 5; each++) await ask(each)
    expect(owner.facts.lender.size.lent).toBe(3)
    runtime.forward(4_600)
    await ask(5)
    expect(owner.facts.lender.size.lent).toBe(2)
  })
})

describe('a new owner', () => {
  it('does not answer a change before copies of the owner before are over', async () => {
    const { owner, runtime } = nodes()
    owner.facts.elsewhere.opened(1, 7)
    const other = actorId('key', 1, '00000000')
    const settled = owner.facts.elsewhere.settled(other)
    expect(settled).not.toBeNull()
    runtime.forward(4_600)
    await settled
    expect(owner.facts.elsewhere.settled(other)).toBeNull()
  })

  it('knows them from the owner before, and calls back what has changed meanwhile', async () => {
    const { owner, reader, read } = nodes()
    await read()
    owner.facts.elsewhere.closed(0, 1, 1)
    reader.facts.elsewhere.opened(0, 2)
    reader.facts.elsewhere.changed(key)
    expect(reader.facts.elsewhere.settled(key)).not.toBeNull()
    await owner.facts.handOver(0, 'reader')
    await reader.facts.elsewhere.settled(key)
    expect(reader.facts.copies.size.copies).toBe(0)
  })
})

it('a caller who may not ask for it is told that there is nothing', () => {
  const { reader } = nodes()
  expect(reader.actors.read(key as never, { mayLoad: () => false })).toMatchObject({ refused: 'not_found' })
})
