import { describe, expect, it } from 'vitest'
import { GroupCommit } from '../../src/host/group-commit.ts'
import type { JournalEntry } from '../../src/ports/journal.ts'

const entry = (actor: string, bytes = 10): JournalEntry => ({
  actor,
  seq: 1,
  commandId: null,
  events: ['x'.repeat(bytes)],
  timersSet: [],
  timersCleared: [],
})
const newQueue = (batchEntriesMax: number, batchBytesMax = 1_000_000) =>
  new GroupCommit<string, string>({ batchEntriesMax, batchBytesMax })
type Taken = ReturnType<GroupCommit<string, string>['take']>
const pendingOf = (batch: Taken) => {
  const all = []
  for (let pending = batch?.first ?? null; pending !== null; pending = pending.next) all.push(pending)
  return all
}
const names = (batch: Taken): string => {
  const linked = pendingOf(batch).map(({ entry: { actor } }) => actor)
  expect(linked).toEqual((batch?.entries ?? []).map(({ actor }) => actor))
  return linked.join('')
}
const waitersOf = (pending: ReturnType<typeof pendingOf>[number]): readonly string[] => {
  const waiters: string[] = []
  pending.forEachWaiter((waiter, owner) => waiters.push(`${waiter} of ${owner}`))
  return waiters
}

describe('the next batch', () => {
  it('is everything that waits, in order', () => {
    const queue = newQueue(10)
    for (const actor of 'abc') queue.add(actor, entry(actor), null)
    expect(names(queue.take())).toBe('abc')
    expect(queue.size).toBe(0)
    expect(queue.take()).toBeNull()
  })

  it('is bounded by count and by bytes', () => {
    const counted = newQueue(2)
    for (const actor of 'abc') counted.add(actor, entry(actor), null)
    expect([names(counted.take()), names(counted.take())]).toEqual(['ab', 'c'])
    const weighed = newQueue(10, 1_000)
    for (const actor of 'abc') weighed.add(actor, entry(actor, 300), null)
    expect([names(weighed.take()), names(weighed.take())]).toEqual(['ab', 'c'])
  })

  it('takes one that is larger than the bound alone', () => {
    const queue = newQueue(10, 1_000)
    for (const actor of 'ab') queue.add(actor, entry(actor, 5_000), null)
    expect([names(queue.take()), names(queue.take())]).toEqual(['a', 'b'])
  })

  it('never tears a whole apart', () => {
    const queue = newQueue(3)
    queue.add('a', entry('a'), null)
    queue.add('b', entry('b'), null)
    queue.addWhole(
      ['c', 'd', 'e'].map((actor) => ({ owner: actor, entry: entry(actor) })),
      'waiter',
    )
    queue.addWhole(
      ['f', 'g'].map((actor) => ({ owner: actor, entry: entry(actor) })),
      'other',
    )
    const batches = [queue.take(), queue.take(), queue.take()]
    expect(batches.map(names)).toEqual(['ab', 'cde', 'fg'])
    expect(pendingOf(batches[1] ?? null).map(waitersOf)).toEqual([[], [], ['waiter of e']])
  })

  it('numbers entries in the order of decision', () => {
    const queue = newQueue(10)
    const first = queue.add('a', entry('a'), null)
    const [second] = queue.addWhole([{ owner: 'b', entry: entry('b') }], 'waiter')
    expect(second?.ordinal).toBe(first.ordinal + 1)
    second?.addWaiter('reader')
    second?.addWaiter('other reader')
    expect(pendingOf(queue.clear()).flatMap(waitersOf)).toEqual([
      'waiter of b',
      'reader of b',
      'other reader of b',
    ])
    expect(queue.size).toBe(0)
  })
})
