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

  it('may be wanted for longer than Cassandra counts', async () => {
    const bodies = new CassandraBodyStore(session())
    await bodies.put('record', 'three', 'text', Date.now() + 1e15)
    expect(await bodies.get('record', 'three')).not.toBeNull()
    await bodies.delete('record', 'three')
    expect(await bodies.get('record', 'three')).toBeNull()
  })
})
