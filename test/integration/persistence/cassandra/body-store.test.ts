import { describe, expect, it } from 'vitest'
import { CassandraBodyStore } from '../../../../src/persistence/cassandra/body-store.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()

describe('bodies in Cassandra', () => {
  it('live as long as they are wanted, counted in whole seconds up', async () => {
    const bodies = new CassandraBodyStore(session(), () => 1_000)
    await bodies.put('record', 'one', 'text', 1_000 + 99_001)
    const { rows } = await session().client.execute(
      "SELECT ttl(body) AS left FROM bodies WHERE record = 'record' AND id = 'one'",
    )
    expect(Number(rows[0]?.['left'])).toBeGreaterThan(90)
    expect(Number(rows[0]?.['left'])).toBeLessThanOrEqual(100)
    expect(await bodies.get('record', 'one')).toBe('text')
  })

  it('that are over already are not kept, and take away what was there', async () => {
    const bodies = new CassandraBodyStore(session(), () => 1_000)
    await bodies.put('record', 'two', 'text', 60_000)
    await bodies.put('record', 'two', 'late', 1_000)
    expect(await bodies.get('record', 'two')).toBeNull()
  })

  it('that were deleted stay away, whatever the clocks of those say who wrote and deleted them', async () => {
    const tenMinutesMs = 600_000
    const write = "INSERT INTO bodies (record, id, body) VALUES ('late', ?, 'text') USING TIMESTAMP ?"
    const put = async (id: string, atMs: number) => {
      await session().client.execute(write, [id, atMs * 1_000], { prepare: true })
    }
    const bodies = new CassandraBodyStore(session())
    for (const id of ['a', 'b', 'c']) await put(id, Date.now() + tenMinutesMs)
    await bodies.delete('late', 'a')
    await bodies.keepOnly('late', ['b'])
    const there = async () => Promise.all(['a', 'b', 'c'].map((id) => bodies.get('late', id)))
    expect(await there()).toEqual([null, 'text', null])
    // A write that comes late, too.
    for (const id of ['a', 'c']) await put(id, Date.now() + tenMinutesMs)
    expect(await there()).toEqual([null, 'text', null])
    await bodies.keepOnly('late', [])
    expect(await there()).toEqual([null, null, null])
  })

  it('may be wanted for longer than Cassandra counts', async () => {
    const bodies = new CassandraBodyStore(session())
    await bodies.put('record', 'three', 'text', Date.now() + 1e15)
    expect(await bodies.get('record', 'three')).not.toBeNull()
    await bodies.delete('record', 'three')
    expect(await bodies.get('record', 'three')).toBeNull()
  })
})
