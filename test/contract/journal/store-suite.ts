import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JournalStore, LogSlot } from '../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, someActor, timer, uniqueText } from './parts/slots.ts'

/** An engine under test on empty storage of its own; `reopen` closes the store and opens the same storage again. */
export type StoreUnderTest = AsyncDisposable & { store: JournalStore; reopen(): Promise<void> }

/** What every engine must do. Each test has shards of its own, so one storage serves the whole suite. */
export const describeJournalStore = (engine: string, open: () => Promise<StoreUnderTest>): void => {
  let subject: StoreUnderTest
  let lastShard = -1
  const freshShard = (): number => ++lastShard

  /** As the protocol does it: the slot, then its copies. */
  const commit = async (slot: LogSlot): Promise<void> => {
    expect(await subject.store.append(slot)).toEqual({ is: 'written' })
    await subject.store.copy(slot.shard, [slot])
  }

  describe(`journal store on ${engine}`, () => {
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    describe('the log', () => {
      it('gives back what was appended, slot by slot', async () => {
        const shard = freshShard()
        const [one, two] = [someActor(shard), someActor(shard)]
        const slots = [
          openSlot(shard, 0, 1, ''),
          batchSlot(shard, 1, 1, [entry(one, 1), entry(two, 1, { events: 3 })]),
          batchSlot(shard, 2, 1, [
            entry(one, 2, { set: [timer(one, 1_000)] }),
            {
              ...entry(two, 4, { events: 2, set: [timer(two, 5)], cleared: [timer(one, 1_000)] }),
              commandId: null,
            },
          ]),
        ]
        for (const slot of slots) await commit(slot)
        expect(await subject.store.readLog(shard, 0, 10)).toEqual(slots)
        expect(await subject.store.readLog(shard, 1, 1)).toEqual([slots[1]])
        expect(await subject.store.readLog(shard, 3, 10)).toEqual([])
      })

      it('keeps text of any script and size', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const texts = ['{"name":"Zoë 李雷 🙂 \\u0000"}', JSON.stringify({ text: 'x'.repeat(200_000) })]
        const slot = batchSlot(shard, 0, 1, [{ ...entry(actor, 1), events: texts }])
        await commit(slot)
        expect(await subject.store.readLog(shard, 0, 1)).toEqual([slot])
        expect((await subject.store.readEvents(actor, 0)).map((event) => event.data)).toEqual(texts)
      })

      it('tells who occupies a slot and leaves it as it is', async () => {
        const shard = freshShard()
        const first = openSlot(shard, 0, 7)
        await commit(first)
        const outcome = { is: 'occupied', epoch: 7, batchId: first.batchId }
        expect(await subject.store.append(openSlot(shard, 0, 8))).toEqual(outcome)
        expect(await subject.store.append(first)).toEqual(outcome)
        expect(await subject.store.readLog(shard, 0, 10)).toEqual([first])
      })

      it('writes nothing of a batch that found its slot occupied', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        await commit(openSlot(shard, 0, 1))
        const late = batchSlot(shard, 0, 1, [entry(actor, 1, { set: [timer(actor, 1)] })])
        expect((await subject.store.append(late)).is).toBe('occupied')
        expect(await subject.store.readEvents(actor, 0)).toEqual([])
        expect(await subject.store.timersDue(shard, 0, 1_000, null, 10)).toEqual([])
      })

      it('lets exactly one of many concurrent writers have a slot', async () => {
        const shard = freshShard()
        const rivals = Array.from({ length: 16 }, (_, index) => openSlot(shard, 0, index + 1))
        const outcomes = await Promise.all(rivals.map((slot) => subject.store.append(slot)))
        const winners = rivals.filter((_, index) => outcomes[index]?.is === 'written')
        expect(winners).toHaveLength(1)
        expect(await subject.store.readLog(shard, 0, 10)).toEqual(winners)
      })

      it('keeps shards apart', async () => {
        const [one, two] = [freshShard(), freshShard()]
        const slot = openSlot(one, 0, 1)
        await commit(slot)
        await commit(openSlot(two, 0, 1))
        expect(await subject.store.readLog(one, 0, 10)).toEqual([slot])
      })

      it('reads across the border of two segments', async () => {
        const shard = freshShard()
        const slots = [-2, -1, 0, 1].map((offset) => openSlot(shard, subject.store.segmentSlots + offset, 1))
        for (const slot of slots) await commit(slot)
        expect(await subject.store.readLog(shard, subject.store.segmentSlots - 2, 10)).toEqual(slots)
        expect(await subject.store.readLog(shard, subject.store.segmentSlots - 1, 2)).toEqual(
          slots.slice(1, 3),
        )
      })

      it('stops at a gap', async () => {
        const shard = freshShard()
        const slot = openSlot(shard, 5, 1)
        await commit(slot)
        await commit(openSlot(shard, 7, 1))
        expect(await subject.store.readLog(shard, 5, 10)).toEqual([slot])
        expect(await subject.store.readLog(shard, 4, 10)).toEqual([])
      })
    })

    describe('retired segments', () => {
      it('refuse every later append, in the first segment and in those before', async () => {
        const shard = freshShard()
        await commit(openSlot(shard, 0, 1))
        await commit(openSlot(shard, subject.store.segmentSlots, 1))
        expect(await subject.store.firstSegment(shard)).toBe(0)
        await subject.store.retireSegment(shard, 0)
        await subject.store.retireSegment(shard, 0)
        expect(await subject.store.firstSegment(shard)).toBe(1)
        expect(await subject.store.append(openSlot(shard, 0, 9))).toEqual({ is: 'retired' })
        expect(await subject.store.append(openSlot(shard, subject.store.segmentSlots - 1, 9))).toEqual({
          is: 'retired',
        })
        expect(await subject.store.append(openSlot(shard, subject.store.segmentSlots + 1, 9))).toEqual({
          is: 'written',
        })
      })

      it('lose their slots and nothing else', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        await commit(batchSlot(shard, subject.store.segmentSlots - 1, 1, [entry(actor, 1)]))
        const kept = batchSlot(shard, subject.store.segmentSlots, 1, [entry(actor, 2)])
        await commit(kept)
        await subject.store.retireSegment(shard, 0)
        expect(await subject.store.readLog(shard, subject.store.segmentSlots - 1, 10)).toEqual([])
        expect(await subject.store.readLog(shard, subject.store.segmentSlots, 10)).toEqual([kept])
        expect(await subject.store.readEvents(actor, 0)).toHaveLength(2)
      })
    })

    describe('actors', () => {
      it('have their events in order, with the ids of their commands', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        await commit(batchSlot(shard, 0, 1, [entry(actor, 1), entry(actor, 2, { events: 2 })]))
        await commit(batchSlot(shard, 1, 1, [{ ...entry(actor, 4), commandId: null }]))
        const events = await subject.store.readEvents(actor, 0)
        expect(events.map(({ seq, commandId }) => [seq, commandId])).toEqual([
          [1, 'command-1'],
          [2, 'command-2'],
          [3, 'command-2'],
          [4, null],
        ])
        expect((await subject.store.readEvents(actor, 3)).map((event) => event.seq)).toEqual([4])
        expect(await subject.store.readEvents(someActor(shard), 0)).toEqual([])
      })

      it('have many events', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        for (let no = 0; no < 4; no++) {
          await commit(batchSlot(shard, no, 1, [entry(actor, no * 700 + 1, { events: 700 })]))
        }
        const events = await subject.store.readEvents(actor, 0)
        expect(events.map((event) => event.seq)).toEqual(
          Array.from({ length: 2_800 }, (_, index) => index + 1),
        )
      })

      it('are listed by shard, a page at a time, each once', async () => {
        const shard = freshShard()
        const actors = Array.from({ length: 7 }, () => someActor(shard)).sort()
        await commit(
          batchSlot(
            shard,
            0,
            1,
            actors.map((actor) => entry(actor, 1)),
          ),
        )
        await commit(
          batchSlot(
            shard,
            1,
            1,
            actors.map((actor) => entry(actor, 2)),
          ),
        )
        const pages: (readonly string[])[] = []
        for (let after: string | null = null; ; after = pages.at(-1)?.at(-1) ?? null) {
          const page = await subject.store.listActors(shard, after, 3)
          if (page.length === 0) break
          pages.push(page)
        }
        expect(pages.flat().toSorted()).toEqual(actors)
        expect(await subject.store.listActors(freshShard(), null, 3)).toEqual([])
      })

      it('are copied any number of times with the same result', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const slot = batchSlot(shard, 0, 1, [entry(actor, 1, { events: 2, set: [timer(actor, 50)] })])
        await commit(slot)
        await subject.store.copy(shard, [slot])
        expect(await subject.store.readEvents(actor, 0)).toHaveLength(2)
        expect(await subject.store.timersDue(shard, 0, 100, null, 10)).toEqual([timer(actor, 50)])
      })
    })

    describe('copies that arrive late', () => {
      it('do not bring back timers that a later slot cleared or that are done', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const [cleared, done] = [timer(actor, 10, 'cleared'), timer(actor, 20, 'done')]
        const first = batchSlot(shard, 0, 1, [entry(actor, 1, { set: [cleared, done] })])
        await commit(first)
        await commit(batchSlot(shard, 1, 1, [entry(actor, 2, { cleared: [cleared] })]))
        await subject.store.timersDone(shard, [done], 1)
        await subject.store.copy(shard, [first])
        expect(await subject.store.timersDue(shard, 0, 100, null, 10)).toEqual([])
      })

      it('leave a timer that a later slot set again', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const again = timer(actor, 10)
        await commit(batchSlot(shard, 0, 1, [entry(actor, 1, { set: [again] })]))
        const clearing = batchSlot(shard, 1, 1, [entry(actor, 2, { cleared: [again] })])
        await commit(clearing)
        await commit(batchSlot(shard, 2, 1, [entry(actor, 3, { set: [again] })]))
        await subject.store.copy(shard, [clearing])
        await subject.store.timersDone(shard, [again], 1)
        await subject.store.timerMoved(shard, again, timer(actor, 50), 1)
        const rows = await subject.store.timersDue(shard, 0, 40, null, 10)
        expect(rows).toEqual([again])
      })

      it('do not shorten what is copied already', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const slots = [0, 1, 2].map((no) => batchSlot(shard, no, 1, [entry(actor, no + 1)]))
        for (const slot of slots) expect((await subject.store.append(slot)).is).toBe('written')
        await subject.store.copy(shard, slots)
        await subject.store.copy(shard, slots.slice(0, 1))
        expect(await subject.store.readEvents(actor, 0)).toHaveLength(3)
      })
    })

    describe('snapshots', () => {
      it('are replaced by newer ones only', async () => {
        const actor = someActor(freshShard())
        expect(await subject.store.readSnapshot(actor)).toBeNull()
        await subject.store.writeSnapshot(actor, { seq: 10, data: '{"ten":true}' }, 0)
        await subject.store.writeSnapshot(actor, { seq: 20, data: '{"twenty":true}' }, 0)
        await subject.store.writeSnapshot(actor, { seq: 15, data: '{"late":true}' }, 0)
        expect(await subject.store.readSnapshot(actor)).toEqual({ seq: 20, data: '{"twenty":true}' })
      })
    })

    describe('what is forgotten', () => {
      /** Three events of an actor in three slots, and a neighbour in the last. */
      const written = async (shard: number) => {
        const [actor, neighbour] = [someActor(shard), someActor(shard)]
        const slots = [
          openSlot(shard, 0, 1),
          batchSlot(shard, 1, 1, [entry(actor, 1)]),
          batchSlot(shard, 2, 1, [entry(actor, 2)]),
          batchSlot(shard, 3, 1, [entry(actor, 3), entry(neighbour, 1)]),
        ]
        for (const slot of slots) await commit(slot)
        return { actor, neighbour, slots }
      }
      const seqsAfter = async (actor: string, seq: number) =>
        (await subject.store.readEvents(actor, seq)).map((event) => event.seq)

      it('is in the last snapshot, also when copies and an older snapshot come late', async () => {
        const shard = freshShard()
        const { actor, neighbour, slots } = await written(shard)
        await subject.store.forget(shard, [{ actor, seq: 3, data: '{"last":true}', atNo: 3 }])
        await subject.store.copy(shard, slots)
        await subject.store.writeSnapshot(actor, { seq: 2, data: '{"late":true}' }, 2)
        const folded = { snapshot: { seq: 3, data: '{"last":true}' }, events: [] }
        expect(await subject.store.readActor(actor)).toEqual(folded)
        expect(await seqsAfter(neighbour, 0)).toEqual([1])
        expect(await subject.store.readLog(shard, 0, 10)).toEqual(slots)
        expect([...(await subject.store.listActors(shard, null, 10))].sort()).toEqual(
          [actor, neighbour].sort(),
        )
        await subject.reopen()
        expect(await subject.store.readActor(actor)).toEqual(folded)
      })

      it('is in a snapshot that was written before, where none comes with it', async () => {
        const shard = freshShard()
        const { actor, neighbour } = await written(shard)
        await subject.store.writeSnapshot(actor, { seq: 3, data: '{"saved":true}' }, 3)
        await subject.store.forget(shard, [{ actor, seq: 3, atNo: 3 }])
        const folded = { snapshot: { seq: 3, data: '{"saved":true}' }, events: [] }
        expect(await subject.store.readActor(actor)).toEqual(folded)
        expect(await seqsAfter(neighbour, 0)).toEqual([1])
        await subject.reopen()
        expect(await subject.store.readActor(actor)).toEqual(folded)
      })

      it('does not hold up what comes after it', async () => {
        const shard = freshShard()
        const { actor } = await written(shard)
        await subject.store.forget(shard, [{ actor, seq: 3, data: '{}', atNo: 3 }])
        await commit(batchSlot(shard, 4, 1, [entry(actor, 4, { events: 2 })]))
        expect(await seqsAfter(actor, 3)).toEqual([4, 5])
        await subject.store.forget(shard, [{ actor, seq: 3, data: '{}', atNo: 3 }])
        expect(await seqsAfter(actor, 3)).toEqual([4, 5])
        await subject.reopen()
        await commit(batchSlot(shard, 5, 1, [entry(actor, 6)]))
        expect((await subject.store.readActor(actor)).events.map(({ seq }) => seq)).toEqual([4, 5, 6])
        await subject.store.forget(shard, [{ actor, seq: 6, data: '{"six":true}', atNo: 5 }])
        expect(await subject.store.readActor(actor)).toEqual({
          snapshot: { seq: 6, data: '{"six":true}' },
          events: [],
        })
      })

      it('goes again and again while the record lives on, each time up to the snapshot', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        await commit(openSlot(shard, 0, 1))
        for (let no = 1; no <= 30; no++) {
          await commit(batchSlot(shard, no, 1, [entry(actor, no * 100 - 99, { events: 100 })]))
          if (no % 3 !== 0) continue
          // The newest slot was committed while the snapshot was written.
          const seq = (no - 1) * 100
          await subject.store.forget(shard, [{ actor, seq, data: `{"at":${seq}}`, atNo: no - 1 }])
          const { snapshot, events } = await subject.store.readActor(actor)
          expect([snapshot?.seq, events.length, events[0]?.seq]).toEqual([seq, 100, seq + 1])
        }
        await subject.reopen()
        await commit(batchSlot(shard, 31, 1, [entry(actor, 3_001)]))
        expect((await subject.store.readActor(actor)).events.map(({ seq }) => seq)).toEqual(
          Array.from({ length: 101 }, (_, index) => 2_901 + index),
        )
        // Whoever asks for all of them is given what is left.
        expect((await seqsAfter(actor, 0)).at(-1)).toBe(3_001)
      })

      it('goes whole where nothing stays, and may begin anew', async () => {
        const shard = freshShard()
        const { actor, neighbour } = await written(shard)
        await subject.store.writeSnapshot(actor, { seq: 3, data: '{}' }, 3)
        const gone = { actor, seq: 3, data: null, atNo: 3 }
        await subject.store.forget(shard, [gone])
        await subject.store.forget(shard, [gone])
        expect(await subject.store.readActor(actor)).toEqual({ snapshot: null, events: [] })
        expect(await subject.store.listActors(shard, null, 10)).toEqual([neighbour])
        await subject.reopen()
        await commit(batchSlot(shard, 4, 1, [entry(actor, 1), entry(someActor(shard), 1)]))
        await subject.store.writeSnapshot(actor, { seq: 1, data: '{"new":true}' }, 4)
        expect(await subject.store.readSnapshot(actor)).toEqual({ seq: 1, data: '{"new":true}' })
        expect(await seqsAfter(actor, 0)).toEqual([1])
        expect(await subject.store.listActors(shard, null, 10)).toContain(actor)
      })
    })

    describe('checkpoints', () => {
      const at = (no: number) => ({ copiedNo: no, publishedNo: no, projectedNo: no, timerAckMs: no })

      it('are missing until one is written', async () => {
        const shard = freshShard()
        expect(await subject.store.readCheckpoint(shard)).toBeNull()
        await subject.store.writeCheckpoint(shard, 1, at(5))
        expect(await subject.store.readCheckpoint(shard)).toEqual(at(5))
      })

      it('never move back, and ignore what an earlier owner writes late', async () => {
        const shard = freshShard()
        await subject.store.writeCheckpoint(shard, 2, { ...at(10), publishedNo: 4 })
        await subject.store.writeCheckpoint(shard, 2, { ...at(8), publishedNo: 6 })
        expect(await subject.store.readCheckpoint(shard)).toEqual({ ...at(10), publishedNo: 6 })
        await subject.store.writeCheckpoint(shard, 3, at(10))
        await subject.store.writeCheckpoint(shard, 2, at(99))
        expect(await subject.store.readCheckpoint(shard)).toEqual(at(10))
      })
    })

    describe('timers', () => {
      it('come in order of due time, a page at a time, up to the limit of time', async () => {
        const shard = freshShard()
        const actors = Array.from({ length: 3 }, () => someActor(shard)).sort()
        const hourMs = 3_600_000
        const due = [5, 5, 7, 2 * hourMs, 2 * hourMs + 1, 30 * 24 * hourMs]
        const rows = due.flatMap((dueMs) => actors.map((actor) => timer(actor, dueMs)))
        const unique = [...new Map(rows.map((row) => [`${row.dueMs} ${row.actor}`, row])).values()]
        await commit(
          batchSlot(
            shard,
            0,
            1,
            actors.map((actor) => entry(actor, 1, { set: unique.filter((row) => row.actor === actor) })),
          ),
        )
        const untilMs = 30 * 24 * hourMs
        const found = []
        for (;;) {
          const page = await subject.store.timersDue(shard, 0, untilMs, found.at(-1) ?? null, 2)
          if (page.length === 0) break
          found.push(...page)
        }
        expect(found).toEqual(unique.filter((row) => row.dueMs < untilMs))
        expect(await subject.store.timersDue(shard, 6, 8, null, 10)).toEqual(
          actors.map((actor) => timer(actor, 7)),
        )
      })

      it('that were set and not cleared survive, and those that are done do not', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        const [kept, cleared, done] = [
          timer(actor, 10, 'kept'),
          timer(actor, 20, 'cleared'),
          timer(actor, 30, 'done'),
        ]
        await commit(batchSlot(shard, 0, 1, [entry(actor, 1, { set: [kept, cleared, done] })]))
        await commit(batchSlot(shard, 1, 1, [entry(actor, 2, { cleared: [cleared] })]))
        await subject.store.timersDone(shard, [done], 1)
        await subject.store.timersDone(shard, [done], 1)
        const rows = await subject.store.timersDue(shard, 0, 100, null, 10)
        expect(rows.filter((row) => row.timerId !== 'cleared')).toEqual([kept])
      })

      it('move to another time', async () => {
        const shard = freshShard()
        const actor = someActor(shard)
        await commit(batchSlot(shard, 0, 1, [entry(actor, 1, { set: [timer(actor, 10)] })]))
        await subject.store.timerMoved(shard, timer(actor, 10), timer(actor, 90), 0)
        await subject.store.timerMoved(shard, timer(actor, 10), timer(actor, 90), 0)
        expect(await subject.store.timersDue(shard, 0, 100, null, 10)).toEqual([timer(actor, 90)])
      })
    })

    describe('positions', () => {
      it('are kept by reader and shard, and never move back', async () => {
        const [one, two] = [freshShard(), freshShard()]
        const reader = `publisher-${uniqueText()}`
        expect(await subject.store.readPosition(reader, one)).toBeNull()
        await subject.store.savePosition(reader, one, { no: 3, index: 1 })
        await subject.store.savePosition(reader, one, { no: 4, index: 0 })
        await subject.store.savePosition(reader, two, { no: 9, index: 2 })
        await subject.store.savePosition(reader, one, { no: 3, index: 7 })
        expect(await subject.store.readPosition(reader, one)).toEqual({ no: 4, index: 0 })
        expect(await subject.store.readPosition('another', one)).toBeNull()
      })
    })

    it('answers a probe', async () => {
      await expect(subject.store.probe()).resolves.toBeUndefined()
    })

    it('has everything again after it was closed and opened', async () => {
      const shard = freshShard()
      const actor = someActor(shard)
      const slots = [
        openSlot(shard, 0, 1),
        batchSlot(shard, 1, 1, [entry(actor, 1, { set: [timer(actor, 70)] })]),
      ]
      for (const slot of slots) await commit(slot)
      await subject.store.writeSnapshot(actor, { seq: 1, data: '{}' }, 0)
      await subject.reopen()
      expect(await subject.store.readLog(shard, 0, 10)).toEqual(slots)
      expect(await subject.store.readEvents(actor, 0)).toHaveLength(1)
      expect(await subject.store.readSnapshot(actor)).toEqual({ seq: 1, data: '{}' })
      expect(await subject.store.timersDue(shard, 0, 100, null, 10)).toEqual([timer(actor, 70)])
      await commit(batchSlot(shard, 2, 1, [entry(actor, 2)]))
      expect(await subject.store.readEvents(actor, 0)).toHaveLength(2)
    })
  })
}
