import { type Client, type QueryOptions, types } from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import {
  CassandraSession,
  numberOf,
  numberOrNull,
  statement,
} from '../../../../src/persistence/cassandra/session.ts'
import * as cql from '../../../../src/persistence/cassandra/statements.ts'
import { StoreFailure } from '../../../../src/persistence/store-port.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()
const actorRow = (actor: string) => statement(cql.insertActor, 1, 0, actor, 1)
const actors = async (from = session()): Promise<readonly unknown[]> => {
  const rows = await from.read(statement(cql.readActors, 1, 0, '', 100))
  return rows.map((row) => row['actor'] as unknown)
}
/** The same session with so few rows a page. */
const inPagesOf = (fetchSize: number): CassandraSession => {
  const { client } = session()
  const execute = (query: string, params: unknown[], options: QueryOptions) =>
    client.execute(query, params, { ...options, fetchSize })
  return new CassandraSession(Object.assign(Object.create(client) as Client, { execute }), {
    consistency: 'quorum',
  })
}
const node = (name: string) => statement(cql.insertNode, name, 'i1', 0, '', '', 'alive', null)

describe('the session', () => {
  it('writes statements of one partition together, and reads them page by page to the end', async () => {
    await session().write([])
    await session().write([actorRow('a')])
    await session().write(['b', 'c', 'd', 'e'].map(actorRow))
    expect(await actors()).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(await actors(inPagesOf(2))).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('applies a condition once, and answers a refusal with the row that is there', async () => {
    expect((await session().applyIf([node('node-1')])).wasApplied()).toBe(true)
    const refused = await session().applyIf([node('node-1')])
    expect([refused.wasApplied(), refused.rows[0]?.['incarnation']]).toEqual([false, 'i1'])
    expect(await session().readSerial(statement(cql.readNodes))).toHaveLength(1)
  })

  it('has nothing to answer when there is no statement to apply', async () => {
    await expect(session().applyIf([])).rejects.toThrow(RangeError)
  })

  it('does not call a statement retryable that Cassandra will never take', async () => {
    const wrong = statement('SELECT nothing FROM nowhere')
    for (const call of [session().read(wrong), session().write([wrong]), session().applyIf([wrong])]) {
      const error: unknown = await call.catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(StoreFailure)
    }
  })
})

describe('a number from Cassandra', () => {
  it('is a plain one, whatever its type is called there', () => {
    expect([
      numberOf(7),
      numberOf(types.Long.fromNumber(2 ** 40)),
      numberOrNull(null),
      numberOrNull(undefined),
    ]).toEqual([7, 2 ** 40, null, null])
  })
})
