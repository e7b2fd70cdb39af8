import { describe, expect, it } from 'vitest'
import { refuse } from '../../src/domain/decider.ts'
import { decideEnd, isEndCommand } from '../../src/domain/endings.ts'
import {
  erasedBy,
  erasure,
  type EraseCommand,
  isErased,
  type RecordErased,
} from '../../src/domain/erasure.ts'
import { timesAt } from '../../src/domain/exchange.ts'
import { owedAck } from '../../src/domain/last-word.ts'

const unknown = refuse('not_found', 'There is none.')
const done = {
  ...timesAt(1_000, { state: 'done', previousState: null, sequence: 4 }),
  status: 'done',
  tenant: 'ten_1',
  externalId: 'order-1',
  lastWord: null,
}
const erase: EraseCommand = { type: 'EraseRecord', atMs: 5_000, tenant: 'ten_1', by: 'api_key' }
const ended = {
  type: 'Ended',
  change: { state: 'abandoned', previousState: 'running', sequence: 5 },
} as const
const erased = (command: EraseCommand = erase): RecordErased => {
  const decided = erasure(done, command, { running: null, unknown })
  const [event] = 'refused' in decided ? [] : decided
  if (event === undefined) throw new Error('nothing was erased')
  return event as RecordErased
}

describe('an erasure', () => {
  it('is an event that says all that organisations hear of it', () => {
    expect(erased()).toEqual({
      type: 'RecordErased',
      atMs: 5_000,
      by: 'api_key',
      tenant: 'ten_1',
      externalId: 'order-1',
      sequence: 5,
    })
    const after = erasedBy(done, erased())
    expect(after).toMatchObject({ erasedAtMs: 5_000, erasedBy: 'api_key', updatedAtMs: 5_000, sequence: 5 })
    expect([isErased(done), isErased(after), isErased({ status: 'none' })]).toEqual([false, true, false])
  })

  it('at the end of the retention period is no visible change', () => {
    expect(erased({ ...erase, by: 'retention' }).sequence).toBe(4)
  })

  it('happens once', () => {
    const after = erasedBy(done, erased())
    expect(erasure(after, { ...erase, by: 'operator' }, { running: null, unknown })).toEqual([])
    expect(() => erasedBy(after, erased())).toThrow(/is impossible in done, erased/)
  })

  it('of another organisation’s record finds none, erased or not', () => {
    const stranger = { ...erase, tenant: 'ten_2' }
    expect(erasure(done, stranger, { running: ended, unknown })).toBe(unknown)
    expect(erasure(erasedBy(done, erased()), stranger, { running: null, unknown })).toBe(unknown)
  })

  it('of what runs is refused, unless its connection is erased: then its end comes first', () => {
    expect(erasure(done, erase, { running: ended, unknown })).toMatchObject({ refused: 'exchange_running' })
    const decided = erasure(done, { ...erase, withConnection: true }, { running: ended, unknown })
    expect(decided).toEqual([ended, expect.objectContaining({ type: 'RecordErased', sequence: 6 })])
  })
})

describe('the end of an exchange', () => {
  const whys: unknown[] = []
  const abandoned = (why: object) => {
    whys.push(why)
    return ended
  }
  const ends = { over: null, unknown, abandoned }

  it('by its organisation says so, to callers and to the holder', () => {
    const cancel = { type: 'CancelExchange', atMs: 1, tenant: 'ten_1' } as const
    expect(decideEnd(done, cancel, ends)).toEqual([ended])
    expect(whys.pop()).toEqual({
      errorMessage: 'The organisation cancelled the exchange.',
      problem: 'The organisation cancelled the exchange.',
      failure: 'cancelled',
    })
    expect(decideEnd(done, { ...cancel, tenant: 'ten_2' }, ends)).toBe(unknown)
    expect(decideEnd(done, cancel, { ...ends, over: done })).toMatchObject({ refused: 'exchange_over' })
  })

  it('with its connection owes the holder nothing, and has nothing that a key would have to seal', () => {
    decideEnd(done, { ...erase, withConnection: true }, ends)
    expect(whys.pop()).toEqual({ errorMessage: null, problem: null, failure: 'erased' })
  })

  it('gives its last word up with its connection, which has no address any more', () => {
    const over = { ...done, lastWord: owedAck }
    expect(decideEnd(over, { ...erase, withConnection: true }, { ...ends, over })).toMatchObject([
      { type: 'LastWordFailed', nextAtMs: null },
      { type: 'RecordErased', sequence: 5 },
    ])
  })

  it('leaves its last word owed when it is erased by itself', () => {
    const over = { ...done, lastWord: owedAck }
    expect(erasedBy(over, erased()).lastWord).toBe(owedAck)
    expect(decideEnd(over, { type: 'RetryLastWord', atMs: 1 }, { ...ends, over })).toEqual([])
    expect(isEndCommand({ type: 'RequestProof' })).toBe(false)
  })
})
