import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../../../src/ports/journal.ts'
import { prepareReads } from '../../../../src/persistence/sqlite/read-operations.ts'
import { prepareWrites } from '../../../../src/persistence/sqlite/write-operations.ts'
import { batchSlot, entry, openSlot, someActor } from '../../../contract/journal/parts/slots.ts'
import { openJournal, packedSlots } from '../parts/temporary-journal.ts'

const SEGMENT = 16
const SHARD = 3

const open = () => {
  const database = openJournal()
  let writes = prepareWrites(database)
  const reads = prepareReads(database)
  let no = 0
  for (const slot of packedSlots(openSlot(SHARD, no++, 1))) writes.append(slot)
  return {
    append: (...entries: JournalEntry[]) => {
      for (const slot of packedSlots(batchSlot(SHARD, no++, 1, entries))) writes.append(slot)
      writes.beforeCommit()
    },
    /** Slots without any actor that the test asks for, so that the segments before them can go. */
    fill(segments: number) {
      const count = segments * SEGMENT - no
      for (let filled = 0; filled < count; filled++) this.append(entry(someActor(SHARD), 1))
    },
    retire: (segments: number) => {
      for (let segment = 0; segment < segments; segment++) writes.retireSegment(SHARD, segment)
    },
    fold: (actor: string, seq: number) => {
      writes.forget(SHARD, [{ actor, seq, data: `{"seq":${seq}}`, atNo: no }])
      writes.beforeCommit()
    },
    vanish: (actor: string, seq: number) => writes.forget(SHARD, [{ actor, seq, data: null, atNo: no }]),
    sweep: () => {
      while (writes.sweep(5, true));
    },
    step: () => writes.sweep(5, false),
    restart: () => {
      writes = prepareWrites(database)
    },
    /** A whole pass in one step, whose transaction does not come to its end. */
    undonePass: () => {
      database.exec('BEGIN')
      writes.sweep(100_000, false)
      database.exec('ROLLBACK')
      writes.afterRollback()
    },
    seqs: (actor: string, after = 0) => reads.readEvents(actor, after).map(({ seq }) => seq),
    load: (actor: string) => reads.readActor(actor),
    readLog: () => reads.readLog(SHARD, reads.firstSegment(SHARD) * SEGMENT, 1_000),
    rows: () => Number(database.prepare('SELECT count(*) FROM slots').pluck().get()),
    textsOf: (actor: string) => {
      const bodies = database.prepare<[], string>('SELECT body FROM slots').pluck().all()
      return bodies.filter((body) => body.includes(`"${actor}"`)).length
    },
  }
}

/** Events with the name of their actor in the text, so that it can be found in the file. */
const named = (actor: string, seq: number): JournalEntry => ({
  ...entry(actor, seq),
  events: [`{"of":"${actor}"}`],
})

describe('sweeping the journal file', () => {
  it('leaves the rows of the log alone, and takes what is forgotten out of the others', () => {
    const file = open()
    const [over, living] = [someActor(SHARD), someActor(SHARD)]
    file.append(named(over, 1), named(living, 1))
    file.append(named(over, 2))
    file.append(named(over, 3), named(living, 2))
    file.fill(2)
    file.fold(over, 3)
    const before = file.readLog()
    file.sweep()
    expect(file.readLog()).toEqual(before)
    expect(file.textsOf(over)).toBe(3)
    file.retire(1)
    file.sweep()
    expect(file.textsOf(over)).toBe(0)
    expect([file.seqs(over), file.seqs(living)]).toEqual([[], [1, 2]])
    expect(file.load(over)).toEqual({ snapshot: { seq: 3, data: '{"seq":3}' }, events: [] })
    expect(file.readLog()[0]?.no).toBe(SEGMENT)
  })

  it('keeps what came after the snapshot, and goes on after a restart', () => {
    const file = open()
    const actor = someActor(SHARD)
    file.append(named(actor, 1))
    file.append(named(actor, 2))
    file.fill(1)
    file.fold(actor, 2)
    file.append(named(actor, 3))
    file.fill(3)
    file.retire(2)
    file.sweep()
    expect([file.seqs(actor, 2), file.textsOf(actor)]).toEqual([[3], 1])
    file.restart()
    file.append(named(actor, 4))
    expect(file.seqs(actor, 2)).toEqual([3, 4])
    file.restart()
    expect(() => file.append(named(actor, 4))).toThrow('the next cannot be 4')
  })

  it('finds the end of an actor whose rows went before it was flushed', () => {
    const file = open()
    const actor = someActor(SHARD)
    file.append(named(actor, 1))
    file.append(named(actor, 2))
    file.fold(actor, 2)
    file.fill(2)
    file.retire(1)
    file.sweep()
    file.restart()
    file.append(named(actor, 3))
    expect(file.load(actor).events.map(({ seq }) => seq)).toEqual([3])
  })

  it('takes a record whole, whose number is not given to another', () => {
    const file = open()
    const [gone, next] = [someActor(SHARD), someActor(SHARD)]
    file.append(named(gone, 1))
    file.vanish(gone, 1)
    file.restart()
    file.append(named(next, 1))
    expect([file.seqs(gone), file.seqs(next)]).toEqual([[], [1]])
    file.append(named(gone, 1))
    expect(file.seqs(gone)).toEqual([1])
    file.fill(2)
    file.retire(1)
    file.sweep()
    expect([file.seqs(gone), file.seqs(next)]).toEqual([[1], [1]])
  })

  it('frees a file in which much was forgotten, step by step, and does nothing where little was', () => {
    const file = open()
    const actors = Array.from({ length: 700 }, () => someActor(SHARD))
    for (const actor of actors) {
      file.append(named(actor, 1))
      file.append(named(actor, 2))
      file.append(named(actor, 3))
    }
    file.fill(132)
    expect(file.step()).toBe(false)
    for (const actor of actors) file.fold(actor, 3)
    file.retire(131)
    const before = file.rows()
    for (let steps = 0; file.step(); steps++) expect(steps).toBeLessThan(1_000)
    expect([before > 2_100, file.rows() < 40]).toEqual([true, true])
    expect(file.load(actors[0] ?? '').snapshot?.seq).toBe(3)
  })

  it('remembers over restarts how much may go', () => {
    const file = open()
    const actors = Array.from({ length: 900 }, () => someActor(SHARD))
    for (const actor of actors) file.append(named(actor, 1))
    file.fill(60)
    file.retire(59)
    for (const day of [0, 1, 2]) {
      for (const actor of actors.slice(day * 300, day * 300 + 300)) file.fold(actor, 1)
      while (file.step());
      file.restart()
    }
    // What came after the last pass is too little for another.
    expect(actors.filter((actor) => file.textsOf(actor) > 0).length).toBeLessThanOrEqual(300)
  })

  it('frees the space of a small installation that is restarted every day', () => {
    const file = open()
    let segments = 0
    for (let day = 0; day < 60; day++) {
      const actors = Array.from({ length: 12 }, () => someActor(SHARD))
      for (const actor of actors) for (const seq of [1, 2, 3]) file.append(named(actor, seq))
      for (const actor of actors) file.fold(actor, 3)
      segments += 2
      file.retire(segments)
      while (file.step());
      file.restart()
    }
    expect(file.rows()).toBeLessThan(1_000)
  })

  it('keeps the file small under a record that lives on, and looks through it no oftener than that frees', () => {
    const file = open()
    const actor = someActor(SHARD)
    let [seq, passes] = [0, 0]
    for (let round = 1; round <= 40; round++) {
      for (let count = 0; count < 100; count++) file.append(named(actor, ++seq))
      file.fold(actor, seq - 5)
      file.fill(round * 8)
      file.retire(round * 8 - 1)
      if (file.step()) passes++
      while (file.step());
    }
    // Of 4,000 rows with its events; some 1,100 are of others.
    expect(file.rows()).toBeLessThan(2_000)
    expect(passes).toBeLessThan(10)
    expect(file.load(actor).snapshot?.seq).toBe(seq - 5)
    expect(file.load(actor).events).toHaveLength(5)
    file.restart()
    file.append(named(actor, seq + 1))
    expect(file.load(actor).events).toHaveLength(6)
  })

  it('begins again when the last step of a pass did not come to its end', () => {
    const file = open()
    const actors = Array.from({ length: 900 }, () => someActor(SHARD))
    for (const actor of actors) file.append(named(actor, 1))
    file.fill(60)
    for (const actor of actors) file.fold(actor, 1)
    file.retire(59)
    const before = file.rows()
    file.undonePass()
    expect(file.rows()).toBe(before)
    while (file.step());
    expect([before > 900, file.rows() < 60]).toEqual([true, true])
  })

  it('looks at what may go when it has left the log, and once after a restart, to learn where it is', () => {
    const file = open()
    const actors = Array.from({ length: 900 }, () => someActor(SHARD))
    for (const actor of actors) file.append(named(actor, 1))
    file.fill(60)
    for (const actor of actors) file.fold(actor, 1)
    const pass = (): number => {
      let steps = 0
      while (file.step()) steps++
      return steps
    }
    expect(pass()).toBe(0)
    file.restart()
    expect(pass()).toBeGreaterThan(0)
    expect([pass(), pass()]).toEqual([0, 0])
    file.retire(59)
    expect(pass()).toBeGreaterThan(0)
    expect(file.rows()).toBeLessThan(80)
  })
})
