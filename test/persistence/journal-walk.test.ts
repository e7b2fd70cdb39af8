import { describe, expect, it } from 'vitest'
import { readActor, walkActors, walkLog } from '../../src/persistence/journal-walk.ts'
import { entriesOf } from '../../src/persistence/store-port.ts'
import { SEGMENT_SLOTS } from './parts/written-journal.ts'
import { batchSlot, entry, openSlot, someActor } from '../contract/journal/parts/slots.ts'
import { checkpointAt, eventsUpTo, readsOf } from './parts/written-journal.ts'

const collect = async <Each>(walk: AsyncIterable<Each>): Promise<readonly Each[]> => {
  const all: Each[] = []
  for await (const each of walk) all.push(each)
  return all
}

describe('a walk', () => {
  it('along the log passes every slot, page by page, from where it is asked to begin', async () => {
    const slots = Array.from({ length: 200 }, (_, no) => openSlot(1, no, 1))
    const reads = readsOf({ slots, events: {} })
    expect(await collect(walkLog(reads, 1))).toEqual(slots)
    expect(await collect(walkLog(reads, 1, 150))).toEqual(slots.slice(150))
  })

  it('along the log begins at the first segment that is not retired', async () => {
    const slots = [openSlot(1, 3 * SEGMENT_SLOTS, 1), openSlot(1, 3 * SEGMENT_SLOTS + 1, 1)]
    expect(await collect(walkLog(readsOf({ slots, events: {} }), 1))).toEqual(slots)
  })

  it('among the actors meets each once, however many', async () => {
    const actors = Array.from({ length: 1_000 }, (_, index) => `actor-${1_000 + index}`)
    const events = Object.fromEntries(actors.map((actor) => [actor, eventsUpTo(1)]))
    expect(await collect(walkActors(readsOf({ slots: [], events }), 1))).toEqual(actors)
  })
})

describe('reading an actor', () => {
  const actor = someActor(1)

  it('adds what is committed and not copied yet, and counts nothing twice', async () => {
    const slots = [
      batchSlot(1, 0, 1, [entry(actor, 1)]),
      batchSlot(1, 1, 1, [entry(actor, 2, { events: 2 }), entry(someActor(1), 1)]),
      batchSlot(1, 2, 1, [entry(actor, 4)]),
    ]
    const reads = readsOf({ slots, events: { [actor]: eventsUpTo(2) }, checkpoint: checkpointAt(0) })
    const { events, snapshot } = await readActor(reads, actor)
    expect(events.map(({ seq, commandId }) => [seq, commandId])).toEqual([
      [1, 'command-1'],
      [2, 'command-2'],
      [3, 'command-2'],
      [4, 'command-4'],
    ])
    expect(snapshot).toBeNull()
  })

  it('finds nothing of one that is unknown, and takes no other text', async () => {
    expect((await readActor(readsOf({ slots: [], events: {} }), actor)).events).toEqual([])
    await expect(readActor(readsOf({ slots: [], events: {} }), 'somebody')).rejects.toThrow(RangeError)
  })
})

it('an open record has no entries', () => {
  expect([entriesOf(openSlot(1, 0, 1)), entriesOf(batchSlot(1, 0, 1, [entry('a', 1)]))]).toEqual([
    [],
    [entry('a', 1)],
  ])
})
