import { describe, expect, it } from 'vitest'
import { ActorTables } from '../../../../src/persistence/cassandra/actor-tables.ts'
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
})
