import { describe, expect, it } from 'vitest'
import { ActorTables } from '../../../../src/persistence/cassandra/actor-tables.ts'
import type { CassandraSession, Statement } from '../../../../src/persistence/cassandra/session.ts'
import { deleteEvents } from '../../../../src/persistence/cassandra/statements.ts'
import { type LogSlot } from '../../../../src/persistence/store-port.ts'
import { batchSlot, entry, openSlot, someActor } from '../../../contract/journal/parts/slots.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()
const copy = async (tables: ActorTables, ...slots: readonly LogSlot[]): Promise<void> => {
  for (const write of tables.copiesOf(slots)) await session().write(write)
}
const seqs = (events: readonly { readonly seq: number }[]): readonly number[] => events.map(({ seq }) => seq)

describe("the actors' tables", () => {
  it('has one list of writes for each partition', () => {
    const tables = new ActorTables(session())
    const actor = someActor(1)
    const slots = [
      openSlot(1, 0, 1),
      batchSlot(1, 1, 1, [entry(actor, 1)]),
      batchSlot(1, 2, 1, [entry(actor, 2)]),
    ]
    expect(tables.copiesOf(slots).map((writes) => writes.length)).toEqual([1, 1])
    expect(tables.copiesOf([batchSlot(1, 3, 1, [entry(actor, 999, { events: 2 })])])).toHaveLength(2)
  })

  it('reads each event once where runs overlap, from any event on', async () => {
    const tables = new ActorTables(session())
    const actor = someActor(2)
    const slots = [1, 3, 5].map((seq) => batchSlot(2, seq, 1, [entry(actor, seq, { events: 2 })]))
    await copy(tables, ...slots)
    await copy(tables, ...slots.slice(1))
    await copy(tables, ...slots.slice(2))
    expect(seqs(await tables.readEvents(actor, 0))).toEqual([1, 2, 3, 4, 5, 6])
    for (const after of [1, 4, 6]) {
      const expected = [1, 2, 3, 4, 5, 6].filter((seq) => seq > after)
      expect(seqs(await tables.readEvents(actor, after))).toEqual(expected)
    }
  })

  it('reads on from bucket to bucket', async () => {
    const tables = new ActorTables(session())
    const actor = someActor(3)
    await copy(tables, batchSlot(3, 0, 1, [entry(actor, 1, { events: 2_100 })]))
    expect(await tables.readEvents(actor, 0)).toHaveLength(2_100)
    expect(seqs(await tables.readEvents(actor, 1_998))).toEqual(
      Array.from({ length: 102 }, (_, index) => 1_999 + index),
    )
  })

  it('fold a record that lives on with tombstones for its last two buckets alone, and find what is left', async () => {
    const { tables, buckets } = watched()
    const actor = someActor(4)
    const slotOf = (no: number) => batchSlot(4, no, 1, [entry(actor, no * 200 - 199, { events: 200 })])
    for (let no = 1; no <= 17; no++) {
      await copy(tables, slotOf(no))
      await tables.forget(4, { actor, seq: no * 200, data: '{}', atNo: no })
    }
    expect([new Set(buckets).size, buckets.length < 2 * 17, buckets.slice(-2)]).toEqual([4, true, [2, 3]])
    await copy(tables, slotOf(18))
    const left = Array.from({ length: 200 }, (_, index) => 3_401 + index)
    expect(seqs(await tables.readEvents(actor, 0))).toEqual(left)
    expect(seqs((await tables.readActor(actor)).events)).toEqual(left)
  })

  it('fold all that an earlier fold has left', async () => {
    const { tables, buckets } = watched()
    const actor = someActor(5)
    await copy(tables, batchSlot(5, 1, 1, [entry(actor, 1, { events: 4_500 })]))
    await tables.forget(5, { actor, seq: 4_500, data: '{}', atNo: 1 })
    expect(buckets).toEqual([0, 1, 2, 3, 4])
    expect(await tables.readEvents(actor, 0)).toEqual([])
  })
})

/** Tables that note the buckets of which events are deleted. */
const watched = () => {
  const buckets: number[] = []
  const watching: Pick<CassandraSession, 'read' | 'write'> = {
    read: (wanted) => session().read(wanted),
    write: (statements: readonly Statement[]) => {
      for (const { query, params } of statements) if (query === deleteEvents) buckets.push(Number(params[2]))
      return session().write(statements)
    },
  }
  return { tables: new ActorTables(watching as CassandraSession), buckets }
}
