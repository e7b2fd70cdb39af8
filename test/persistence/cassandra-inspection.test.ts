import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { inspectCassandra } from '../../src/persistence/cassandra-inspection.ts'

it('an inspection of a Cassandra that is not there fails instead of waiting for it, and leaves nothing behind', async () => {
  const { cassandra } = loadConfig({})
  await expect(inspectCassandra({ ...cassandra, contactPoints: ['127.0.0.1:1'] })).rejects.toThrow(
    '127.0.0.1:1',
  )
}, 240_000)
