import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type JournalEntry, ShardLost, type TailRecord } from '../../../src/ports/journal.ts'
import type { JournalStore } from '../../../src/persistence/store-port.ts'
import { readActor } from '../../../src/persistence/journal-walk.ts'
import { checkShard } from '../../../src/persistence/journal-check.ts'
import { FAULTS, FaultyStore, STORE_METHODS } from './parts/faulty-store.ts'
import { patiently, seqsOf, startJournal, upTo } from './parts/journal-parts.ts'
import { entry, someActor, timer } from './parts/slots.ts'
import type { StoreUnderTest } from './store-suite.ts'

/** Timers are set for later: a row that moves to a time which a checkpoint calls past comes at that checkpoint's time. */
const SOON_MS = Date.now() + 3_600_000

/** What the journal promises on every engine, also while single calls of the engine go wrong. */
export const describeJournal = (engine: string, open: () => Promise<StoreUnderTest>): void => {
  let subject: StoreUnderTest
  let lastShard = -1
  const freshShard = (): number => ++lastShard

  describe(`journal on ${engine}`, () => {
    beforeAll(async () => {
      subject = await open()
    })
    afterAll(async () => subject[Symbol.asyncDispose]())

    it('has what was appended at once, and again after a restart', async () => {
      const shard = freshShard()
      const [one, two] = [someActor(shard), someActor(shard)]
      const journal = startJournal(subject.store)
      const writer = await journal.open(shard)
      await writer.append([entry(one, 1), entry(two, 1, { events: 2 })])
      await writer.append([entry(one, 2)])
      expect(seqsOf((await writer.load(one)).events)).toEqual([1, 2])
      expect(seqsOf(await journal.readEvents(two, 1))).toEqual([2])
      await writer.saveSnapshot(two, { seq: 2, data: '{}' })
      await journal[Symbol.asyncDispose]()

      const restarted = startJournal(subject.store)
      const again = await restarted.open(shard)
      expect(again.epoch).toBeGreaterThan(writer.epoch)
      expect(seqsOf((await again.load(one)).events)).toEqual([1, 2])
      expect((await again.load(two)).snapshot).toEqual({ seq: 2, data: '{}' })
      await restarted[Symbol.asyncDispose]()
    })

    it('lets a taker go on where a writer that never closed stopped, and stops that writer', async () => {
      const shard = freshShard()
      const actor = someActor(shard)
      const frozen = startJournal(subject.store)
      const old = await frozen.open(shard)
      for (const seq of upTo(6)) await old.append([entry(actor, seq)])
      const taking = startJournal(subject.store)
      const taken = await taking.open(shard)
      expect(seqsOf((await taken.load(actor)).events)).toEqual(upTo(6))
      await taken.append([entry(actor, 7)])
      await expect(old.append([entry(actor, 7)])).rejects.toThrow(ShardLost)
      expect(await old.lost).toBe('fenced')
      expect(seqsOf((await taken.load(actor)).events)).toEqual(upTo(7))
      await taking[Symbol.asyncDispose]()
      await frozen[Symbol.asyncDispose]()
    })

    it('gives its timers in order, without those that are done or moved away', async () => {
      const shard = freshShard()
      const actor = someActor(shard)
      const journal = startJournal(subject.store)
      const writer = await journal.open(shard)
      const after = (waitMs: number) => timer(actor, SOON_MS + waitMs, `in-${waitMs}`)
      const [first, second, third, far] = [after(10), after(20), after(30), after(3_600_000)]
      await writer.append([entry(actor, 1, { set: [first, second, third, far] })])
      await writer.timersDone([first])
      const moved = { ...second, dueMs: SOON_MS + 40 }
      await writer.timerMoved(second, moved)
      const due = await writer.timersDue(SOON_MS + 1_000, null, 10)
      expect(due).toEqual([third, moved])
      expect(await writer.timersDue(SOON_MS + 4_000_000, due.at(-1) ?? null, 10)).toEqual([far])
      await journal[Symbol.asyncDispose]()
    })

    it('keeps a timer that is moved to where it is', async () => {
      const shard = freshShard()
      const row = timer(someActor(shard), SOON_MS, 'same')
      const journal = startJournal(subject.store)
      const writer = await journal.open(shard)
      await writer.append([entry(row.actor, 1, { set: [row] })])
      await writer.timerMoved(row, { ...row })
      expect(await writer.timersDue(SOON_MS + 1, null, 10)).toEqual([row])
      await journal[Symbol.asyncDispose]()
      const later = startJournal(subject.store)
      const next = await later.open(shard)
      expect(await next.timersDue(SOON_MS + 1, null, 10)).toEqual([row])
      await later[Symbol.asyncDispose]()
    })

    it('is followed from a position, entry by entry, also by another process', async () => {
      const shard = freshShard()
      const actor = someActor(shard)
      const journal = startJournal(subject.store)
      const writer = await journal.open(shard)
      for (const seq of upTo(9)) await writer.append([entry(actor, seq), entry(someActor(shard), 1)])
      const follower = startJournal(subject.store)
      const records: TailRecord[] = []
      for (;;) {
        const page = await follower.readTail(shard, records.at(-1) ?? null, 4)
        if (page.length === 0) break
        records.push(...page)
      }
      const own = records.filter((record) => record.entry.actor === actor)
      expect(records).toHaveLength(18)
      expect(own.map((record) => record.entry.seq)).toEqual(upTo(9))
      await journal[Symbol.asyncDispose]()
      await follower[Symbol.asyncDispose]()
    })

    it('drops whole segments that nobody needs any more, and nothing of the actors', async () => {
      const shard = freshShard()
      const actor = someActor(shard)
      const journal = startJournal(subject.store, { checkpointEvents: 256, copySlotsMax: 64 })
      const writer = await journal.open(shard)
      for (const seq of upTo(subject.store.segmentSlots + 20)) await writer.append([entry(actor, seq)])
      await journal[Symbol.asyncDispose]()
      expect(await subject.store.firstSegment(shard)).toBeGreaterThan(0)
      expect(await subject.store.readLog(shard, 0, 1)).toEqual([])
      const restarted = startJournal(subject.store)
      expect(seqsOf(await restarted.readEvents(actor, 0))).toEqual(upTo(subject.store.segmentSlots + 20))
      const { events } = await (await restarted.open(shard)).load(actor)
      expect(seqsOf(events)).toEqual(upTo(subject.store.segmentSlots + 20))
      expect(seqsOf(await restarted.readEvents(actor, subject.store.segmentSlots + 18))).toEqual([
        subject.store.segmentSlots + 19,
        subject.store.segmentSlots + 20,
      ])
      await restarted[Symbol.asyncDispose]()
    })

    describe.each(FAULTS)('when calls of the store %s', (fault) => {
      it.each(STORE_METHODS)(
        '%s: everything acknowledged is there once, and nothing else',
        async (method) => {
          const faulty = new FaultyStore(subject.store)
          faulty.plan(method, fault, fault === 'slow' ? 1 : fault.startsWith('fail') ? 3 : 7)
          const shard = freshShard()
          const acknowledged = await useEverything(faulty.store, shard)
          if (method !== 'retireSegment' && method !== 'listActors') {
            const skipped = subject.store.copies === 'atomic' && method === 'copy'
            expect(faulty.faults).toBeGreaterThan(skipped ? -1 : 0)
          }
          await faulty.heal()
          await expectExactly(subject.store, shard, acknowledged)
        },
      )
    })
  })
}

type Acknowledged = { readonly actor: string; readonly seqs: number; readonly pending: string }

/** Two lives of a process over a faulty store; the first ends without closing. */
const useEverything = async (store: JournalStore, shard: number): Promise<readonly Acknowledged[]> => {
  const actors = [someActor(shard), someActor(shard)]
  await live(store, shard, actors, 1, false)
  await live(store, shard, actors, 7, true)
  return actors.map((actor) => ({ actor, seqs: 12, pending: 'timer-12' }))
}

const live = async (
  store: JournalStore,
  shard: number,
  actors: readonly string[],
  from: number,
  close: boolean,
): Promise<void> => {
  const journal = startJournal(store, { attemptTimeoutMs: 250 })
  const writer = await patiently(() => journal.open(shard))
  for (let seq = from; seq < from + 6; seq++) {
    await writer.append(actors.map((actor): JournalEntry => timed(actor, seq)))
    for (const actor of actors)
      expect((await patiently(() => writer.load(actor))).events.at(-1)?.seq).toBe(seq)
  }
  // Rows that were cleared may still be there, and fire as stale.
  const due = await patiently(() => writer.timersDue(1_000_000, null, 100))
  const pending = due.filter((each) => each.timerId === `timer-${from + 5}`)
  expect(pending.map((each) => each.actor)).toEqual(actors.toSorted())
  const [row] = pending
  if (row !== undefined) {
    await patiently(() => writer.timerMoved(row, { ...row, dueMs: row.dueMs + 1 }))
    await patiently(() => writer.timerMoved({ ...row, dueMs: row.dueMs + 1 }, row))
  }
  await patiently(() => writer.timersDone([timer(actors[0] ?? '', 5, 'never set')]))
  await patiently(() => writer.saveSnapshot(actors[0] ?? '', { seq: from, data: '{}' }))
  const [last] = (await patiently(() => journal.readTail(shard, null, 1_000))).slice(-1)
  expect(last?.entry.seq).toBe(from + 5)
  await patiently(() => journal.savePosition('reader', shard, { no: last?.no ?? 0, index: 0 }))
  expect(await patiently(() => journal.readPosition('reader', shard))).toEqual({ no: last?.no, index: 0 })
  await patiently(() => journal.probe())
  if (close) await journal[Symbol.asyncDispose]()
}

/** Each event replaces the one timer of its actor. */
const timed = (actor: string, seq: number): JournalEntry =>
  entry(actor, seq, {
    set: [timer(actor, seq * 100, `timer-${seq}`)],
    cleared: seq === 1 ? [] : [timer(actor, (seq - 1) * 100, `timer-${seq - 1}`)],
  })

const expectExactly = async (
  store: JournalStore,
  shard: number,
  acknowledged: readonly Acknowledged[],
): Promise<void> => {
  const journal = startJournal(store)
  const writer = await journal.open(shard)
  for (const { actor, seqs, pending } of acknowledged) {
    expect(seqsOf((await readActor(store, actor)).events)).toEqual(upTo(seqs))
    const rows = await writer.timersDue(1_000_000, null, 1_000)
    expect(rows.filter((row) => row.actor === actor).map((row) => row.timerId)).toContain(pending)
  }
  const tail = await journal.readTail(shard, null, 1_000)
  const key = ({ entry: { actor, seq } }: TailRecord): string => `${actor} ${seq}`
  expect(new Set(tail.map(key)).size).toBe(tail.length)
  expect(tail).toHaveLength(acknowledged.reduce((sum, { seqs }) => sum + seqs, 0))
  await journal[Symbol.asyncDispose]()
  expect((await checkShard(store, shard)).problems).toEqual([])
}
