import { describe, expect, it } from 'vitest'
import { CassandraBodyStore } from '../../../../src/persistence/cassandra/body-store.ts'
import { sessionOfThisFile } from './parts/own-session.ts'

const session = sessionOfThisFile()

describe('bodies in Cassandra', () => {
  it('live as long as they are wanted, counted in whole seconds up', async () => {
    const bodies = new CassandraBodyStore(session(), () => 1_000)
    await bodies.put('one', Buffer.from('text'), 1_000 + 99_001)
    const { rows } = await session().client.execute("SELECT ttl(body) AS left FROM bodies WHERE id = 'one'")
    expect(Number(rows[0]?.['left'])).toBeGreaterThan(90)
    expect(Number(rows[0]?.['left'])).toBeLessThanOrEqual(100)
    expect(Buffer.from((await bodies.get('one')) ?? []).toString()).toBe('text')
  })

  it('that are over already are not kept, and take away what was there', async () => {
    const bodies = new CassandraBodyStore(session(), () => 1_000)
    await bodies.put('two', Buffer.from('text'), 60_000)
    await bodies.put('two', Buffer.from('late'), 1_000)
    expect(await bodies.get('two')).toBeNull()
  })

  it('may be wanted for longer than Cassandra counts', async () => {
    const bodies = new CassandraBodyStore(session())
    await bodies.put('three', Buffer.from('text'), Date.now() + 1e15)
    expect(await bodies.get('three')).not.toBeNull()
    await bodies.delete('three')
    expect(await bodies.get('three')).toBeNull()
  })
})
