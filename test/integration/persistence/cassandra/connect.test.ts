import { describe, expect, it } from 'vitest'
import { connectCassandra } from '../../../../src/persistence/cassandra/connect.ts'
import { reservePorts } from '../../../../src/ledger/sandbox/reserved-ports.ts'
import { settingsOf } from '../../../contract/journal/parts/cassandra-keyspace.ts'
import { cassandra } from '../../../engines/engines.ts'

describe('connecting to Cassandra', () => {
  it('needs no keyspace when one is about to be made', async () => {
    const client = await connectCassandra(settingsOf(await cassandra()), { keyspace: null })
    expect((await client.execute('SELECT key FROM system.local')).rowLength).toBe(1)
    await client.shutdown()
  })

  it('says which command makes the keyspace that is missing', async () => {
    const settings = settingsOf(await cassandra())
    await expect(connectCassandra(settings)).rejects.toThrow(
      `Cassandra has no keyspace ${settings.keyspace}: run vouchsafe migrate`,
    )
  })

  it('says where nobody answers', async () => {
    const contactPoint = `127.0.0.1:${await reservePorts(1)}`
    const settings = settingsOf({ contactPoints: [contactPoint], localDatacenter: 'dc1' })
    await expect(connectCassandra(settings)).rejects.toThrow(
      `Cassandra cannot be reached at ${contactPoint}: `,
    )
  })

  it('says so when no node is of the datacenter', async () => {
    const settings = settingsOf({ ...(await cassandra()), localDatacenter: 'elsewhere' })
    await expect(connectCassandra(settings, { keyspace: null })).rejects.toThrow(
      /cannot be reached at .*elsewhere/,
    )
  })
})
