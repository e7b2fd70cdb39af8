import { expect, it } from 'vitest'
import { ActorTables } from '../../../src/persistence/cassandra/actor-tables.ts'
import { encodeEntries } from '../../../src/persistence/cassandra/entries-codec.ts'
import type { CassandraSession, Statement } from '../../../src/persistence/cassandra/session.ts'
import * as cql from '../../../src/persistence/cassandra/statements.ts'

const ACTOR = 'cre_00aaaaaaaa'

const entry = (seq: number) => ({
  actor: ACTOR,
  seq,
  commandId: null,
  events: [`event ${seq}`],
  timersSet: [],
  timersCleared: [],
})

/** A fold ends late, when this read begins. */
const tablesOf = (stored: { snapshots: number[]; events: (read: number) => readonly number[] }) => {
  let snapshotReads = 0
  let eventReads = 0
  const read = async ({ query, params }: Statement): Promise<object[]> => {
    if (query === cql.readSnapshot) {
      const seq = stored.snapshots[Math.min(snapshotReads++, stored.snapshots.length - 1)] ?? 0
      return seq === 0 ? [] : [{ seq, data: `until ${seq}` }]
    }
    if (params[1] !== 0) return []
    return stored.events(++eventReads).map((seq) => ({ events: encodeEntries([entry(seq)]) }))
  }
  const tables = new ActorTables({ read } as unknown as CassandraSession)
  return { tables, reads: () => [snapshotReads, eventReads] }
}

const readFrom = async ({ tables }: ReturnType<typeof tablesOf>) => {
  const { snapshot, events } = await tables.readActor(ACTOR)
  return [snapshot?.seq ?? null, events.map(({ seq }) => seq)]
}

it('a record is read again where a late fold took events between its snapshot and them', async () => {
  const gone = () => []
  expect(await readFrom(tablesOf({ snapshots: [0, 6], events: gone }))).toEqual([6, []])
  expect(await readFrom(tablesOf({ snapshots: [2, 6], events: gone }))).toEqual([6, []])
  expect(await readFrom(tablesOf({ snapshots: [2, 4], events: () => [5, 6] }))).toEqual([4, [5, 6]])
})

it('a record with its events is read once, and one without any is looked at once more', async () => {
  const whole = tablesOf({ snapshots: [2], events: () => [3, 4] })
  expect(await readFrom(whole)).toEqual([2, [3, 4]])
  expect(whole.reads()).toEqual([1, 1])
  const none = tablesOf({ snapshots: [0], events: () => [] })
  expect(await readFrom(none)).toEqual([null, []])
  expect(none.reads()).toEqual([2, 1])
})
